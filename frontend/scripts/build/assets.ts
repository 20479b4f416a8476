import { createHash } from 'node:crypto';
import type { Rolldown } from 'vite';
import { LOCALE_IDS } from '../../src/lib/locale.ts';

export interface PageAssets {
  /** Module chunks beside the entry: what the entry shares, then the page's own. */
  preload: string[];
  messages: Record<string, string[]>;
  /** What all pages share, then the page's own, a file each: each of them costs a way. */
  styles: string[];
  /** Sheets that stand in these files, so that no script loads them again. */
  held: string[];
}

export interface Assets {
  scripts: { entry: string; early: string };
  pages: Record<string, PageAssets>;
  fonts: Record<string, string[]>;
}

/** A page as the registry names it, with the module its component comes from. */
export interface BuiltPage {
  id: string;
  module: string;
  messages: readonly string[];
}

type Output = Rolldown.RolldownOutput['output'];
type Chunk = Rolldown.OutputChunk;

/** Fonts by the script they hold; a page preloads those of its language. */
const FONTS: Record<string, string[]> = {
  'en-us': ['alexandria-latin'],
  'ar-sa': ['alexandria-arabic', 'alexandria-latin'],
};

/** What each page loads first, from what the bundler wrote. */
export class Bundle {
  /** Style sheets of pages, by the names of the files that are to hold them. */
  readonly sheets = new Map<string, string>();
  private readonly chunks = new Map<string, Chunk>();
  private readonly byModule = new Map<string, Chunk>();
  private readonly entry: Chunk;
  private readonly client: Output;
  /** The sheets that every page has. */
  private readonly shared: string[];

  constructor(client: Output) {
    this.client = client;
    for (const item of client) {
      if (item.type !== 'chunk') continue;
      this.chunks.set(item.fileName, item);
      for (const module of item.moduleIds) this.byModule.set(module, item);
      if (item.facadeModuleId) this.byModule.set(item.facadeModuleId, item);
    }
    const entry = [...this.chunks.values()].find((chunk) => chunk.isEntry);
    if (!entry) throw new Error("the client's build has no entry");
    this.entry = entry;
    this.shared = this.sharedStyles();
  }

  assets(pages: BuiltPage[], early: string): Assets {
    return {
      scripts: { entry: address(this.entry.fileName), early: address(early) },
      pages: Object.fromEntries(pages.map((page) => [page.id, this.page(page)])),
      fonts: Object.fromEntries(
        LOCALE_IDS.map((locale) => [locale, (FONTS[locale] ?? []).map((name) => this.font(name))]),
      ),
    };
  }

  /** Chunks that only this page loads, not those of the entry. */
  ownChunks(page: BuiltPage): string[] {
    const shared = new Set(this.closure(this.entry));
    return this.closure(this.chunkOf(page.module))
      .filter((chunk) => !shared.has(chunk))
      .map((chunk) => chunk.fileName);
  }

  private page(page: BuiltPage): PageAssets {
    const shared = this.closure(this.entry);
    const own = this.closure(this.chunkOf(page.module)).filter((chunk) => !shared.includes(chunk));
    const chunks = [...shared, ...own];
    // Lazy parts stand in the server's HTML, those inside lazy parts too: their styles come with the page.
    const late = new Set(own);
    for (const { dynamicImports } of late) {
      for (const name of dynamicImports) {
        const chunk = this.chunks.get(name);
        for (const part of chunk ? this.closure(chunk) : []) {
          if (!shared.includes(part)) late.add(part);
        }
      }
    }
    return {
      preload: chunks
        .filter((chunk) => chunk !== this.entry)
        .map((chunk) => address(chunk.fileName)),
      messages: Object.fromEntries(
        LOCALE_IDS.map((locale) => [
          locale,
          ['chrome', ...page.messages].map((namespace) =>
            address(this.chunkOf(`\0virtual:messages/${locale}/${namespace}`).fileName),
          ),
        ]),
      ),
      ...this.styles([...new Set([...chunks, ...late].flatMap(stylesOf))]),
    };
  }

  /**
   * The entry's sheets, which put the cascade's layers in order, then all that have layers. A sheet
   * with layers that a script loads in front of one already there makes Chromium look its fonts up
   * again, and a font that came too late for the first paint then moves the text.
   */
  private sharedStyles(): string[] {
    const all = [this.entry, ...this.chunks.values()].flatMap((chunk) => this.closure(chunk));
    const layered = all.flatMap(stylesOf).filter((name) => this.textOf(name).includes('@layer'));
    return [...new Set([...stylesOf(this.entry), ...layered])];
  }

  private styles(all: string[]): Pick<PageAssets, 'styles' | 'held'> {
    const own = all.filter((name) => !this.shared.includes(name));
    const files = [this.inOne('site', this.shared), this.inOne('page', own)];
    const styles = files.filter((name) => name !== undefined);
    const held = [...this.shared, ...own].filter((name) => !styles.includes(name));
    return { styles: styles.map(address), held: held.map(address) };
  }

  /** The file that holds these sheets: the only one itself. */
  private inOne(kind: string, names: string[]): string | undefined {
    if (names.length < 2) return names[0];
    const text = names.map((name) => this.textOf(name)).join('');
    const sheet = `assets/${kind}-${hashOf(text)}.css`;
    this.sheets.set(sheet, text);
    return sheet;
  }

  private textOf(fileName: string): string {
    const file = this.client.find((item) => item.fileName === fileName);
    if (file?.type !== 'asset') throw new Error(`no style sheet ${fileName} was built`);
    return String(file.source);
  }

  /** A chunk with all it imports statically, the imported ones first. */
  private closure(chunk: Chunk, seen = new Set<Chunk>()): Chunk[] {
    if (seen.has(chunk)) return [...seen];
    for (const name of chunk.imports) {
      const imported = this.chunks.get(name);
      if (imported && !seen.has(imported)) this.closure(imported, seen);
    }
    seen.add(chunk);
    return [...seen];
  }

  private chunkOf(module: string): Chunk {
    const chunk = this.byModule.get(module);
    if (!chunk) throw new Error(`${module} is in no chunk`);
    return chunk;
  }

  private font(name: string): string {
    const file = this.client.find(
      (item) => item.type === 'asset' && item.fileName.includes(`/${name}-`),
    );
    if (!file) throw new Error(`no font ${name} was built`);
    return address(file.fileName);
  }
}

/** Eight characters of base 36, which tell the builds of a sheet apart. */
function hashOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return BigInt(`0x${digest}`).toString(36).padStart(8, '0').slice(-8);
}

function stylesOf(chunk: Chunk): string[] {
  return [...(chunk.viteMetadata?.importedCss ?? [])];
}

function address(fileName: string): string {
  return `/${fileName}`;
}
