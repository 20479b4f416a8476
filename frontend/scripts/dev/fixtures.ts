import type { PagePayload } from '../../src/lib/page/payload.ts';
import { fixtureNames, readFixture } from '../fixtures/store.ts';

/** Names of all fixtures, shortest first: the shortest name for an address is its default state. */
const sortedNames = () => fixtureNames().sort((a, b) => a.length - b.length || a.localeCompare(b));

/**
 * The payload for an address: the one that `?fixture=` names, else the default state of the same
 * address, else of the same path.
 */
export function fixtureAt(address: string): PagePayload | undefined {
  const url = new URL(address, 'http://fixtures');
  const name = url.searchParams.get('fixture');
  if (name) return fixtureNames().includes(name) ? readFixture(name) : undefined;
  const payloads = sortedNames().map(readFixture);
  const path = url.pathname.replace(/\/$/, '');
  return (
    payloads.find((payload) => payload.url === path + url.search) ??
    payloads.find((payload) => payload.url !== '' && payload.url.split('?')[0] === path)
  );
}

/** Links to all fixtures. */
export function fixtureList(): string {
  const links = sortedNames().map((name) => {
    const { url, visitor } = readFixture(name);
    const path = url || `/${visitor.locale}/no-such-page`;
    const address = `${path}${path.includes('?') ? '&' : '?'}fixture=${name}`;
    return `<li><a href="${address.replaceAll('&', '&amp;')}">${name}</a></li>`;
  });
  return `<!doctype html>\n<title>Fixtures</title>\n<ul>\n${links.join('\n')}\n</ul>\n`;
}
