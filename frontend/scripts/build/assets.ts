import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, ManifestChunk } from 'vite';
import { LOCALE_IDS } from '../../src/lib/locale.ts';
import { addressOf, CLIENT_DIR } from './paths.ts';

export interface PageAssets {
  /** Modules that the page's first render imports. */
  preload: string[];
  /** Modules of the page's messages, by locale. */
  messages: Record<string, string[]>;
  /** Modules of lazily hydrated parts and of navigations. */
  prefetch: string[];
  styles: string[];
}

export interface Assets {
  scripts: { entry: string; boot: string };
  pages: Record<string, PageAssets>;
  fonts: Record<string, string[]>;
}

/** A page with the file that registers it, relative to `frontend/`. */
export interface BuiltPage {
  id: string;
  file: string;
  messages: readonly string[];
}

const ENTRY = 'src/app/client.tsx';
/** Imported by the first navigation. */
const NAVIGATION = ['src/app/navigation/Router.tsx', 'src/pages/error/error.page.ts'];

/** The fonts that pages preload, by the page's locale. */
const FONTS: Record<string, string[]> = {
  'en-us': ['alexandria-latin'],
  'ar-sa': ['alexandria-arabic', 'alexandria-latin'],
};

/** The files that each page loads, from Vite's manifest. */
export class PageManifest {
  private readonly manifest: Manifest;
  private readonly entry: ManifestChunk[];

  constructor(manifest: Manifest) {
    this.manifest = manifest;
    this.entry = this.closure([ENTRY]);
    const late = Object.values(manifest).find(
      (chunk) => !this.entry.includes(chunk) && hasLayers(chunk),
    );
    if (late) {
      throw new Error(`${late.file} brings a sheet with @layer to documents: write it in no layer`);
    }
  }

  assets(pages: readonly BuiltPage[], boot: string): Assets {
    return {
      scripts: { entry: addressOf(this.chunk(ENTRY).file), boot: addressOf(boot) },
      pages: Object.fromEntries(pages.map((page) => [page.id, this.page(page)])),
      fonts: Object.fromEntries(
        LOCALE_IDS.map((locale) => [locale, (FONTS[locale] ?? []).map((name) => this.font(name))]),
      ),
    };
  }

  /** Modules that only this page loads, not those of the entry. */
  ownScripts({ file }: BuiltPage): string[] {
    return filesOf(this.closure([file]).filter((chunk) => !this.entry.includes(chunk)));
  }

  private page({ file, messages }: BuiltPage): PageAssets {
    const initial = [...new Set([...this.entry, ...this.closure([file])])];
    // Lazily hydrated parts are in the server's HTML, so their styles are needed immediately.
    const lazy = this.lazyParts(file).filter((chunk) => !initial.includes(chunk));
    const later = [...new Set([...lazy, ...this.closure(NAVIGATION)])];
    return {
      preload: filesOf(initial.filter((chunk) => chunk !== this.chunk(ENTRY))),
      messages: Object.fromEntries(
        LOCALE_IDS.map((locale) => [
          locale,
          [...new Set(['common', ...messages].map((name) => this.messages(locale, name)))],
        ]),
      ),
      prefetch: filesOf(later.filter((chunk) => !initial.includes(chunk))),
      styles: this.styles([...initial, ...lazy]),
    };
  }

  /**
   * The entry's style sheet comes first, because it declares the order of cascade layers. Only it
   * and the sheets that it imports may contain layers: when a script adds a sheet with layers,
   * Chromium looks up fonts again, and a font that arrived too late for the first paint then moves
   * the text.
   */
  private styles(chunks: readonly ManifestChunk[]): string[] {
    const sheets = [this.chunk(ENTRY), ...chunks].flatMap((chunk) => chunk.css ?? []);
    return [...new Set(sheets)].map(addressOf);
  }

  /** Chunks that the page imports dynamically, directly or through other dynamic imports. */
  private lazyParts(file: string): ManifestChunk[] {
    const parts = new Set(this.closure([file]).filter((chunk) => !this.entry.includes(chunk)));
    for (const { dynamicImports = [] } of parts) {
      for (const chunk of this.closure(dynamicImports)) {
        if (!this.entry.includes(chunk)) parts.add(chunk);
      }
    }
    return [...parts];
  }

  /** Chunks with all of their static imports, dependencies first. */
  private closure(names: readonly string[], seen = new Set<ManifestChunk>()): ManifestChunk[] {
    for (const name of names) {
      const chunk = this.chunk(name);
      if (seen.has(chunk)) continue;
      this.closure(chunk.imports ?? [], seen);
      seen.add(chunk);
    }
    return [...seen];
  }

  private chunk(name: string): ManifestChunk {
    const chunk = this.manifest[name];
    if (!chunk) throw new Error(`${name} is not in the manifest`);
    return chunk;
  }

  /** The file of a catalogue: its own chunk, or the chunk of common messages. */
  private messages(locale: string, namespace: string): string {
    const own = this.manifest[`virtual:messages/${locale}/${namespace}`];
    const common = Object.values(this.manifest).find(
      ({ name }) => name === `messages-${locale}-common`,
    );
    const chunk = own ?? common;
    if (!chunk) throw new Error(`${locale}/${namespace} is not in the manifest`);
    return addressOf(chunk.file);
  }

  private font(name: string): string {
    const font = Object.values(this.manifest).find(({ file }) => file.includes(`/${name}-`));
    if (!font) throw new Error(`no font ${name} was built`);
    return addressOf(font.file);
  }
}

function filesOf(chunks: readonly ManifestChunk[]): string[] {
  return chunks.map(({ file }) => addressOf(file));
}

/** Whether a style sheet of a chunk declares cascade layers. */
function hasLayers({ css = [] }: ManifestChunk): boolean {
  return css.some((file) => readFileSync(join(CLIENT_DIR, file), 'utf8').includes('@layer'));
}
