import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PagePayload } from '../../src/lib/page/payload.ts';

/** Page payloads from files, found by the address that they were made for. */
export class Fixtures {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Names without `.json`; the shortest of an address is its plain state. */
  get names(): string[] {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .sort((a, b) => a.length - b.length || a.localeCompare(b));
  }

  /**
   * The payload for an address: the one that `?fixture=` names, else the plain state of the same
   * address, else of the same path.
   */
  at(address: string): PagePayload | undefined {
    const url = new URL(address, 'http://fixtures');
    const name = url.searchParams.get('fixture');
    if (name) return this.names.includes(name) ? this.read(name) : undefined;
    const payloads = this.names.map((each) => this.read(each));
    const path = url.pathname.replace(/\/$/, '');
    return (
      payloads.find((payload) => payload.url === path + url.search) ??
      payloads.find((payload) => payload.url !== '' && payload.url.split('?')[0] === path)
    );
  }

  /** Links to all fixtures. */
  list(): string {
    const links = this.names.map((name) => {
      const { url, visitor } = this.read(name);
      const path = url || `/${visitor.locale}/no-such-page`;
      const address = `${path}${path.includes('?') ? '&' : '?'}fixture=${name}`;
      return `<li><a href="${address.replaceAll('&', '&amp;')}">${name}</a></li>`;
    });
    return `<!doctype html>\n<title>Fixtures</title>\n<ul>\n${links.join('\n')}\n</ul>\n`;
  }

  private read(name: string): PagePayload {
    return JSON.parse(readFileSync(join(this.folder, `${name}.json`), 'utf8')) as PagePayload;
  }
}
