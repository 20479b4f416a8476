// @vitest-environment node
import { renderToString } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadAllPages, renderPage } from '~/app/entry-server';
import { KeptContext } from '~/lib/page/kept';
import type { PagePayload } from '~/lib/page/payload';
import { FIXTURES, payloadOf } from './fixtures';
import { keptParts } from './kept';
import { pageTree } from './page-tree';

function at(path: string, payload = payloadOf('fixtures/news.en-us.json')): PagePayload {
  const { document } = payload;
  return { ...payload, document: { ...document, frame: { ...document.frame, path } } };
}

function withMenu(key: string): PagePayload {
  const payload = at('/news');
  payload.document.frame = { ...payload.document.frame, chrome: { menu: { header: [{ key }] } } };
  return payload;
}

beforeAll(async () => {
  await loadAllPages();
});

describe.each(FIXTURES)('%s', (file) => {
  it('is to the letter what React makes of the whole page', async () => {
    const payload = payloadOf(file);
    const path = payload.document.frame?.path ?? '';
    for (const page of [payload, at(`${path}/below`, payload), at('', payload)]) {
      const whole = renderToString(await pageTree(page));
      // Made, then kept.
      expect(await renderPage(page)).toBe(whole);
      expect(await renderPage(page)).toBe(whole);
    }
  });
});

it('takes every kept part from where it is kept', async () => {
  const page = at('/news');
  const marked = new Map([...keptParts(page).keys()].map((part, i) => [part, `kept-${i}`]));
  const html = renderToString(<KeptContext value={marked}>{await pageTree(page)}</KeptContext>);
  expect(html.match(/kept-\d/g)).toEqual(['kept-0', 'kept-1', 'kept-2']);
});

it('makes parts once for all pages of a place in the menu', () => {
  expect(keptParts(at('/news/1'))).toBe(keptParts(at('/news/2')));
  expect(keptParts(at('/news'))).not.toBe(keptParts(at('/news/1')));
});

it('makes none for pages that show neither header nor footer', () => {
  const page = at('/news');
  expect(keptParts({ ...page, visitor: { ...page.visitor, platform: 'app' } }).size).toBe(0);
});

it('lets the menus go that were not asked for lately', () => {
  const [a, b] = [keptParts(withMenu('a')), keptParts(withMenu('b'))];
  for (const key of ['c', 'd', 'a', 'e']) keptParts(withMenu(key));
  expect(keptParts(withMenu('a'))).toBe(a);
  expect(keptParts(withMenu('b'))).not.toBe(b);
});
