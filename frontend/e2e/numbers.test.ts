import { hydrated } from './browser.ts';
import { address } from './site.ts';
import { expect, test } from './test.ts';

/** Visible numbers with a percent sign, and those with the sign left of the digits. */
interface Percentages {
  seen: number;
  turned: string[];
}

function percentages(): Percentages {
  const found: Percentages = { seen: 0, turned: [] };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.nodeValue ?? '';
    for (const { index } of text.matchAll(/\d%/g)) {
      const [digit, sign] = [index, index + 1].map((at) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getClientRects()[0];
      });
      if (!digit?.width || !sign) continue;
      found.seen += 1;
      if (sign.left < digit.right - 1) found.turned.push(text);
    }
  }
  return found;
}

function unmark() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    node.nodeValue = (node.nodeValue ?? '').replace(/[\u200e\u200f]/g, '');
  }
}

// Prose, tables, titles and excerpts of content, and the site's own texts.
for (const [name, path, least] of [
  ['an article', '/news/content/1005', 3],
  ['a help document', '/support/detail/saudi-fees', 3],
  ['a search', `/support/search?keyword=${encodeURIComponent('عمولة')}`, 1],
  ['a page on a product', '/invest/saudi-reits', 3],
  ['a lesson with a chart', '/education/article/the-margin-call', 3],
  ['the fees', '/pricing', 3],
] as const)
  test(`Arabic shows percent signs right of their digits on ${name}`, async ({ page }) => {
    expect((await page.goto(address('ar-sa', path)))?.status()).toBe(200);
    await hydrated(page);
    const { seen, turned } = await page.evaluate(percentages);
    expect(seen).toBeGreaterThanOrEqual(least);
    expect(turned).toEqual([]);
    // Without the direction marks some percentages are reversed, which proves that the marks work.
    await page.evaluate(unmark);
    expect((await page.evaluate(percentages)).turned).not.toEqual([]);
  });
