import type { Page } from '@playwright/test';
import { DEVICES, open, sidewaysOverflow } from './browser.ts';
import { actAs, MEMBERS } from './member.ts';
import { address } from './site.ts';
import { EACH_LOCALE, EACH_SCHEME, expect, test } from './test.ts';

/** Opens a page in a window of that size. */
async function openAt(page: Page, width: number, url: string, height = 800) {
  await page.setViewportSize({ width, height });
  await open(page, url);
}

/** Words and numbers that break across lines. */
function brokenWords(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const broken: string[] = [];
    for (const element of document.querySelectorAll(selector)) {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => top);
          if (Math.max(...tops) - Math.min(...tops) > 4) broken.push(word);
        }
      }
    }
    return broken;
  }, selector);
}

for (const { name, path, drawing } of [
  {
    name: 'the arrow of a document',
    path: '/support/channel/fees-and-tax',
    drawing: 'main li > svg',
  },
  { name: 'the difficulty of a course', path: '/education', drawing: 'main article p svg' },
])
  test(`the link of its card covers ${name}`, EACH_LOCALE, async ({ page, locale }) => {
    await open(page, address(locale, path));
    const shape = page.locator(drawing).first();
    await shape.scrollIntoViewIfNeeded();
    const target = await shape.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('a')?.href ?? null;
    });
    expect(target).not.toBeNull();
  });

test.describe('tables of texts', EACH_LOCALE, () => {
  test.use(DEVICES.phone);

  for (const [path, width] of [
    ['/support/detail/us-fees', 320],
    ['/support/detail/us-fees', 390],
    ['/support/detail/us-fees', 1440],
    ['/education/article/the-margin-call', 320],
    ['/education/article/the-margin-call', 390],
  ] as const)
    test(`on ${path} at ${width} px break inside no word and no number`, async ({
      page,
      locale,
    }) => {
      await openAt(page, width, address(locale, path));
      expect(await page.locator('main table').count()).toBeGreaterThan(0);
      expect(await brokenWords(page, 'main :is(td, th)')).toEqual([]);
      expect(await sidewaysOverflow(page)).toBe(0);
    });

  test('scroll by keyboard while their first column stays', async ({ page, locale }) => {
    await openAt(page, 320, address(locale, '/news/content/2001'));
    const table = page.locator('main table').first();
    const region = page.locator('section:has(> table)').first();
    expect(await region.getAttribute('aria-label')).toMatch(/1$/);
    const heads = table.locator('th');
    const leftOf = async (n: number) => (await heads.nth(n).boundingBox())?.x ?? 0;
    const [first, last] = [await leftOf(0), await leftOf(2)];
    await region.focus();
    await page.keyboard.press(locale === 'ar-sa' ? 'ArrowLeft' : 'ArrowRight');
    await expect.poll(() => leftOf(2)).not.toBe(last);
    expect(await leftOf(0)).toBe(first);
  });
});

/** Members with the longest header entries. */
const HEADER_MEMBERS = ['', MEMBERS.unopened, MEMBERS.joiner['en-us'], MEMBERS.toCorrect];

test.describe('header', EACH_LOCALE, () => {
  for (const member of HEADER_MEMBERS)
    test(`of member "${member}" fits into windows of every width`, async ({
      page,
      context,
      locale,
    }) => {
      if (member) await actAs(context, member);
      await open(page, address(locale, '/news'));
      const entries = page.locator('[data-chrome="header"] > div :is(a, summary, button):visible');
      const download = page.locator('[data-chrome="header"] nav:visible a[href$="/download"]');
      for (const width of [320, 340, 360, 375, 390, 768, 1240, 1280, 1400]) {
        await page.setViewportSize({ width, height: 800 });
        const boxes = await Promise.all((await entries.all()).map((entry) => entry.boundingBox()));
        const edges = boxes.flatMap((box) => (box ? [box.x, box.x + box.width] : []));
        expect(boxes.length).toBeGreaterThan(2);
        // Half of the header's margin stays free on both sides.
        expect(Math.min(...edges), `${width} px`).toBeGreaterThanOrEqual(8);
        expect(Math.max(...edges), `${width} px`).toBeLessThanOrEqual(width - 8);
        expect(await sidewaysOverflow(page), `${width} px`).toBe(0);
        expect(await download.count(), `${width} px`).toBe(width < 1240 ? 0 : 1);
      }
    });
});

const LONG_WORD = 'x'.repeat(100);

test.describe('long words', EACH_LOCALE, () => {
  for (const path of [
    '/news',
    '/news/content/1005',
    '/education',
    '/education/course/first-steps-in-the-market/1',
    '/education/article/what-a-share-is',
    '/company-news/list',
    '/support',
    '/support/channel/fees-and-tax',
    '/support/detail/saudi-fees',
    '/news/-notice/9001',
  ])
    test(`in titles on ${path} do not widen the page`, async ({ page, locale }) => {
      await open(page, address(locale, path));
      const count = await page.evaluate((word) => {
        const content =
          '/(news/content|education|company-news|support/(detail/(?!how-to)|channel))/';
        const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')].filter(
          ({ href }) => new RegExp(content).test(href),
        );
        const titles = [...document.querySelectorAll('main :is(h1, h1 + p)'), ...links];
        for (const title of titles) {
          // The longest text is the title; the texts beside it have fixed lengths.
          const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
          let longest = texts.nextNode();
          for (let text = longest; text; text = texts.nextNode()) {
            if ((text.nodeValue ?? '').length > (longest?.nodeValue ?? '').length) longest = text;
          }
          if (longest) longest.nodeValue = word;
        }
        return titles.length;
      }, LONG_WORD);
      expect(count).toBeGreaterThan(1);
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sidewaysOverflow(page), `${width} px`).toBe(0);
      }
    });

  for (const [name, keyword] of [
    ['a keyword', LONG_WORD],
    ['an address', `https://listed.example/${'a-b/'.repeat(20)}`],
  ] as const)
    test(`in ${name} of a search do not widen the page`, async ({ page, locale }) => {
      const path = `/support/search?keyword=${encodeURIComponent(keyword)}`;
      await open(page, address(locale, path));
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sidewaysOverflow(page), `${width} px`).toBe(0);
      }
    });
});

test(
  'markets on home are as wide as the grid of the page',
  EACH_LOCALE,
  async ({ page, locale }) => {
    await openAt(page, 1440, address(locale, '/'), 900);
    const markets = page.locator('main section section');
    const boxes = await Promise.all([0, 1].map((i) => markets.nth(i).boundingBox()));
    const edges = boxes.flatMap((box) => (box ? [box.x, box.x + box.width] : []));
    const grid = await page.locator('main h1').locator('xpath=../..').boundingBox();
    expect(Math.min(...edges)).toBeCloseTo(grid?.x ?? 0, 0);
    expect(Math.max(...edges)).toBeCloseTo((grid?.x ?? 0) + (grid?.width ?? 0), 0);
    expect(grid?.width).toBeLessThanOrEqual(1200);
  },
);

for (const width of [390, 768, 1440])
  test(`banners show their whole picture at ${width} px`, async ({ page }) => {
    await openAt(page, width, address('en-us', '/news'), 900);
    const arts = page.locator('section[aria-labelledby="news-banners"] a img');
    await arts.first().waitFor();
    const cropped = await arts.evaluateAll((images: HTMLImageElement[]) =>
      images.filter((image) => {
        const { objectFit } = getComputedStyle(image);
        const { width, height } = image.getBoundingClientRect();
        const whole = Math.abs(width / height - image.width / image.height) < 0.05;
        return objectFit !== 'contain' && !whole;
      }),
    );
    expect(await arts.count()).toBeGreaterThan(0);
    expect(cropped).toEqual([]);
  });

for (const width of [390, 820])
  test(`floating buttons cover no text at ${width} px`, async ({ page }) => {
    await openAt(page, width, address('en-us', '/support/detail/how-to-contact-support'));
    const service = page.locator('[data-chrome="customer-service"]');
    const opacity = () => service.evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe('1');
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect.poll(opacity).toBe('0');
    const top = page.locator('[data-chrome="back-to-top"]');
    const button = await top.boundingBox();
    const text = await page.locator('[data-chrome="footer"] p').last().boundingBox();
    expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
    await page.evaluate(() => window.scrollBy(0, -200));
    await expect.poll(opacity).toBe('1');
    await page.locator('main textarea').first().focus();
    await expect.poll(opacity).toBe('0');
    expect(await top.isVisible()).toBe(false);
  });

test(
  'the browser’s bars have the colour of the page',
  EACH_SCHEME,
  async ({ page, colorScheme }) => {
    await open(page, address('en-us', '/news'));
    const meta = page.locator(`meta[name="theme-color"][media*="${colorScheme}"]`);
    const colour = await meta.evaluate((element: HTMLMetaElement) => {
      document.body.style.outlineColor = element.content;
      return getComputedStyle(document.body).outlineColor;
    });
    expect(colour).toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  },
);

test('text of the organisation chart doubles at 200 % zoom', async ({ page }) => {
  await openAt(page, 1280, address('en-us', '/about'));
  const sizes = () =>
    page
      .locator('main figure ul p')
      .evaluateAll((units) => units.map((unit) => getComputedStyle(unit).fontSize));
  const before = await sizes();
  expect(before.length).toBeGreaterThan(5);
  await page.setViewportSize({ width: 640, height: 400 });
  const after = await sizes();
  const grown = before.map(
    (size, i) => Number.parseFloat(after[i] ?? '') / Number.parseFloat(size),
  );
  expect(Math.min(...grown)).toBeGreaterThanOrEqual(1);
});

test.describe('on a phone', () => {
  test.use(DEVICES.phone);

  for (const path of [
    '/news',
    '/news/content/1005',
    '/support',
    '/support/channel/fees-and-tax',
    '/support/detail/us-fees',
    '/education',
    '/education/course/first-steps-in-the-market/1',
    '/education/article/the-margin-call',
    '/invest',
    '/invest/us-stocks',
    '/pricing',
    '/about',
    '/download',
  ])
    test(`sentences on ${path} are at least 16 px tall`, async ({ page }) => {
      await openAt(page, 390, address('en-us', path));
      const small = await page.evaluate(() => {
        // Sentences are longer than labels, lines of numbers, names and notes of one or two terms.
        const isSentence = (text: string | null) => (text ?? '').trim().split(/\s+/).length > 8;
        return [...document.querySelectorAll('main :is(p, td, dd, li)')]
          .filter((element) => element.checkVisibility() && isSentence(element.textContent))
          .filter(
            (element) => ![...element.children].some(({ textContent }) => isSentence(textContent)),
          )
          .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 16)
          .map(({ textContent }) => textContent);
      });
      expect(small).toEqual([]);
    });

  test('a truncated line shows the full height of its letters', async ({ page }) => {
    await openAt(page, 390, address('ar-sa', '/'));
    const names = page.locator('main [data-live]').locator('xpath=preceding-sibling::p//*');
    await names.first().waitFor();
    const cut = await names.evaluateAll((all) =>
      all
        .map((name) => getComputedStyle(name))
        .filter(({ textOverflow }) => textOverflow !== 'clip'),
    );
    expect(cut.length).toBeGreaterThan(5);
    expect(cut.map(({ overflowY }) => overflowY)).toEqual(cut.map(() => 'visible'));
  });

  test('the tabs of the news are at least 44 px wide', async ({ page }) => {
    await openAt(page, 360, address('en-us', '/news'));
    const tabs = page.locator('main nav').first().getByRole('link');
    const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()));
    expect(boxes.length).toBe(3);
    for (const box of boxes) expect(box?.width).toBeGreaterThanOrEqual(44);
  });

  for (const [path, least] of [
    ['/invest/us-options', 2],
    ['/invest/us-warrants', 1],
    ['/invest/us-etfs', 1],
    ['/invest/saudi-suku-bonds', 1],
    ['/invest', 3],
  ] as const)
    test(`in Arabic the axes on ${path} are not mirrored and their texts are inside`, async ({
      page,
    }) => {
      await openAt(page, 390, address('ar-sa', path));
      const { count, mirrored, outside } = await page.evaluate(() => {
        const charts = [...document.querySelectorAll<SVGGraphicsElement>('main [data-chart]')];
        const isMirrored = (chart: SVGGraphicsElement) => (chart.getScreenCTM()?.a ?? 0) <= 0;
        const texts = charts.flatMap((chart) => [...chart.querySelectorAll('text')]);
        return {
          count: charts.length,
          mirrored: charts.filter(isMirrored).length,
          outside: texts
            .filter((text) => {
              const { left, right } = text.getBoundingClientRect();
              const drawing = text.ownerSVGElement?.getBoundingClientRect();
              return !drawing || left < drawing.left || right > drawing.right;
            })
            .map(({ textContent }) => textContent),
        };
      });
      expect(count).toBeGreaterThanOrEqual(least);
      expect(mirrored).toBe(0);
      expect(outside).toEqual([]);
    });

  for (const path of ['/pricing', '/invest/us-stocks'])
    test(`in Arabic the bars of the margin on ${path} start at the right, with texts inside`, async ({
      page,
    }) => {
      await openAt(page, 390, address('ar-sa', path));
      const rows = await page.locator('main [data-bars]').evaluateAll((bars) =>
        bars.map((row) => {
          const drawing = row.closest('svg')?.getBoundingClientRect() ?? new DOMRect();
          return {
            start: drawing.right - (row.querySelector('rect')?.getBoundingClientRect().right ?? 0),
            outside: [...row.querySelectorAll('text, strong, bdi')]
              .filter((text) => {
                const { left, right } = text.getBoundingClientRect();
                return left < drawing.left || right > drawing.right;
              })
              .map(({ textContent }) => textContent),
          };
        }),
      );
      expect(rows).toHaveLength(3);
      for (const { start, outside } of rows) {
        expect(start).toBeCloseTo(0);
        expect(outside).toEqual([]);
      }
    });
});
