import type { Page } from '@playwright/test';
import type { QuoteJson } from '../src/gen/sahm/quotes/v1/quotes_pb';
import type { Locale } from '../src/lib/locale.ts';
import { layoutShifts, open, waitForPageId } from './browser.ts';
import { address, origin } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

test.beforeEach(async ({ page }) => {
  // Replaces EventSource, so that tests can send events.
  await page.addInitScript(() => {
    class FakeEventSource extends EventTarget {
      static readonly CLOSED = 2;
      readyState = 1;
      readonly url: string;
      constructor(url: string) {
        super();
        this.url = url;
        streams.push(this);
      }
      close() {
        this.readyState = 2;
      }
    }
    const streams: FakeEventSource[] = [];
    Object.assign(window, { EventSource: FakeEventSource, streams });
  });
});

const openIn = (page: Page, path: string, locale: Locale = 'en-us') =>
  open(page, address(locale, path));

interface FakeStream extends EventTarget {
  readyState: number;
  url: string;
}

declare global {
  interface Window {
    streams: FakeStream[];
  }
}

/** Addresses of the open streams. */
const openStreams = (page: Page) =>
  page.evaluate(() =>
    window.streams.filter(({ readyState }) => readyState !== 2).map(({ url }) => url),
  );

const send = (page: Page, quote: object) =>
  page.evaluate((data) => {
    const stream = window.streams.findLast(({ readyState }) => readyState !== 2);
    stream?.dispatchEvent(new MessageEvent('quote', { data }));
  }, JSON.stringify(quote));

const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

/** The text of `main` without prices, times and other changing parts. */
const words = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main')?.cloneNode(true) as HTMLElement;
    for (const node of main.querySelectorAll('time, [data-live]')) node.remove();
    return main.textContent;
  });

const ARAMCO = {
  securityCode: '2222',
  currency: 'SAR',
  market: 'saudi',
  lastPrice: '31.40',
  low: '30.10',
  high: '31.50',
  time: 4_000_000_000,
  isRealTime: true,
  mktTmType: 1,
};

/** Pages with live prices and their window widths. */
const WIDE_AND_NARROW = [
  ['/invest', 390],
  ['/invest', 1440],
  ['/', 390],
  ['/', 1440],
] as const;

/** Opens a page in a window of this width and returns the quotes of its page data. */
async function openWith(
  page: Page,
  path: string,
  locale: Locale,
  width: number,
): Promise<QuoteJson[]> {
  await page.setViewportSize({ width, height: 900 });
  await openIn(page, path, locale);
  await expect.poll(() => openStreams(page)).toHaveLength(1);
  const data = `${origin()}/_data/${locale}${path.replace(/\/$/, '')}`;
  const { document } = await (await fetch(data)).json();
  return document.quotes;
}

const row = (page: Page) => page.locator('main li', { hasText: '2222' }).first();

test.describe('live prices', () => {
  test('of a page come over one stream', async ({ page }) => {
    await openIn(page, '/invest');
    await expect
      .poll(() => openStreams(page))
      .toEqual(['/api/hq/stream?codes=1120%2C2010%2C2222%2CAAPL%2CNVDA%2CSPY']);
  });

  test('are in the HTML with their times and marked as simulated', async ({ page }) => {
    await openIn(page, '/invest/saudi-stocks');
    const html = await (await fetch(address('en-us', '/invest/saudi-stocks'))).text();
    expect(html).toMatch(/SAR\s\d+/);
    expect(await row(page).locator('time').count()).toBe(1);
    expect(await page.locator('main').textContent()).toContain('Simulated prices');
  });

  for (const path of ['/', '/invest', '/invest/saudi-stocks'])
    test(`of ${path} have their times`, async ({ page }) => {
      const html = await (await fetch(address('en-us', path))).text();
      await page.setContent(html.replace(/<script\b.*?<\/script>/gs, ''));
      const prices = page.locator('main li', { has: page.locator('[data-live]') });
      expect(await prices.count()).toBeGreaterThan(0);
      const untimed = prices.filter({ hasNot: page.locator('time[datetime]') });
      expect(await untimed.allTextContents()).toEqual([]);
    });

  test('update with sign and arrow, without a layout shift', async ({ page, pageErrors }) => {
    await openIn(page, '/invest');
    await expect.poll(() => openStreams(page)).toHaveLength(1);
    await send(page, { ...ARAMCO, highAndLowLimited: '0.0123' });
    await expect.poll(() => row(page).textContent()).toContain('+1.23%');
    expect(await row(page).textContent()).toContain('31.40');
    await send(page, { ...ARAMCO, lastPrice: '29.05', highAndLowLimited: '-0.0634' });
    await expect.poll(() => row(page).textContent()).toContain('−6.34%');
    expect(await row(page).locator('svg[viewBox="0 0 10 10"] path').getAttribute('d')).toContain(
      'M1 1',
    );
    expect(await layoutShifts(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test.describe('in each language', EACH_LOCALE, () => {
    for (const [path, width] of WIDE_AND_NARROW)
      test(`on ${path}, ${width} wide, do not shift the layout as markets open and close`, async ({
        page,
        locale,
      }) => {
        const quotes = await openWith(page, path, locale, width);
        const states = page.locator(
          'main div:has(> strong) > [data-live], main header > [data-live]',
        );
        await expect.poll(() => states.count()).toBe(2);
        const seen = new Set<string>();
        for (const mktTmType of [2, 3, 4, 1]) {
          for (const quote of quotes) await send(page, { ...quote, mktTmType });
          await expect.poll(() => states.allTextContents().then(String)).not.toBe([...seen].at(-1));
          seen.add(String(await states.allTextContents()));
        }
        expect(seen.size).toBe(4);
        expect(await layoutShifts(page)).toEqual([]);
      });

    for (const [path, width] of WIDE_AND_NARROW)
      test(`on ${path}, ${width} wide, do not shift the layout at the largest changes`, async ({
        page,
        locale,
      }) => {
        // US prices have a second price before the opening and after the close.
        const quotes = (await openWith(page, path, locale, width)).map((quote) =>
          quote.market === 'us' ? { ...quote, pHqdata: { ...quote, mktTmType: 2 } } : quote,
        );
        const changes = page.locator('main [data-live] bdi[dir="ltr"]').filter({ hasText: '%' });
        const show = async (change: string) => {
          for (const quote of quotes) {
            const lastPrice = (Number(quote.previousClose) * (1 + Number(change))).toFixed(2);
            const moved = { lastPrice, highAndLowLimited: change, time: 4e9 };
            const pHqdata = quote.pHqdata && { ...quote.pHqdata, ...moved };
            await send(page, { ...quote, ...moved, pHqdata });
          }
          const text = `${(Math.abs(Number(change)) * 100).toFixed(2)}%`;
          await expect
            .poll(
              async () =>
                new Set((await changes.allTextContents()).map((one) => one.replace(/^[+−]/, ''))),
            )
            .toEqual(new Set([text]));
        };
        await show('0');
        // On the list, the second prices may have appeared just now.
        const before = path === '/' ? 0 : (await layoutShifts(page)).length;
        // The last change is the daily limit of Saudi shares.
        // Browsers count no shift below 3 px in a frame, so the height is compared too.
        const height = () =>
          page.locator('main').evaluate((main) => main.getBoundingClientRect().height);
        const flat = await height();
        for (const change of ['0.0004', '-0.0004', '0.0999', '-0.0999', '0.1']) {
          await show(change);
          expect(await height(), change).toBe(flat);
        }
        expect((await layoutShifts(page)).slice(before)).toEqual([]);
      });
  });

  for (const [part, mark] of [
    [{ status: 1 }, 'Delist'],
    [{ status: 2 }, 'Pause'],
    [{ isRealTime: false }, 'Delayed'],
    [{ isRealTime: false, isOld: true }, 'Not up to date'],
  ] as const)
    test(`${JSON.stringify(part)} is marked ${mark}`, async ({ page }) => {
      await openIn(page, '/invest');
      await expect.poll(() => openStreams(page)).toHaveLength(1);
      await send(page, { ...ARAMCO, highAndLowLimited: '0.01', ...part });
      await expect.poll(() => row(page).textContent()).toContain(mark);
    });

  for (const [part, mark] of [
    [{ isRealTime: true }, ''],
    [{ isRealTime: false }, 'Delayed'],
    [{ isRealTime: false, isOld: true }, 'Not up to date'],
  ] as const)
    test(`${JSON.stringify(part)} on home is marked ${JSON.stringify(mark)} on the phone`, async ({
      page,
      pageErrors,
    }) => {
      await openIn(page, '/');
      await expect.poll(() => openStreams(page)).toHaveLength(1);
      await send(page, { ...ARAMCO, highAndLowLimited: '0.0123', ...part });
      const quote = page.locator('main li:has([data-live])', { hasText: 'Aramco' });
      await expect.poll(() => quote.textContent()).toContain('+1.23%');
      const text = (await quote.textContent()) ?? '';
      expect(/Delayed|Not up to date/.exec(text)?.[0] ?? '').toBe(mark);
      expect(pageErrors).toEqual([]);
    });

  for (const [mktTmType, name] of [
    [2, 'Before the opening'],
    [3, 'After the close'],
  ] as const)
    test(`outside the session (${mktTmType}) stand below the last price`, async ({
      page,
      pageErrors,
    }) => {
      await openIn(page, '/invest');
      await expect.poll(() => openStreams(page)).toHaveLength(1);
      const pHqdata = { lastPrice: '31.55', highAndLowLimited: '0.0048', mktTmType, time: 4e9 };
      await send(page, { ...ARAMCO, highAndLowLimited: '0.01', pHqdata });
      await expect.poll(() => row(page).textContent()).toContain(name);
      const text = await row(page).textContent();
      for (const part of ['31.40', '+1.00%', '31.55', '+0.48%']) expect(text).toContain(part);
      await send(page, { ...ARAMCO, highAndLowLimited: '0.01' });
      await expect.poll(() => row(page).textContent()).not.toContain(name);
      expect(pageErrors).toEqual([]);
    });

  test('pause while the page is hidden', async ({ page }) => {
    await openIn(page, '/invest');
    await expect.poll(() => openStreams(page)).toHaveLength(1);
    await setVisibility(page, 'hidden');
    expect(await openStreams(page)).toEqual([]);
    await setVisibility(page, 'visible');
    expect(await openStreams(page)).toHaveLength(1);
  });

  test('end when the page is left', async ({ page }) => {
    await openIn(page, '/invest');
    await expect.poll(() => openStreams(page)).toHaveLength(1);
    await page.locator('main a[href="/en-us/pricing"]').click();
    await waitForPageId(page, 'pricing');
    await expect.poll(() => openStreams(page)).toEqual([]);
  });

  test('are drawn as a line as soon as there are several', async ({ page }) => {
    await openIn(page, '/invest/saudi-stocks');
    // Below the first screen, prices become live when they come into view.
    await row(page).scrollIntoViewIfNeeded();
    await expect.poll(() => openStreams(page)).toHaveLength(1);
    await send(page, ARAMCO);
    await send(page, { ...ARAMCO, lastPrice: '31.45' });
    const line = row(page).locator('svg[role="img"]').first();
    await expect.poll(() => line.getAttribute('aria-label')).toMatch(/31\.40.*31\.45/);
  });

  for (const [value, colour] of [
    [undefined, 'gain'],
    ['0', 'loss'],
    ['1', 'gain'],
  ] as const)
    test(`with hs_h5_colorType ${value} rise in the colour of a ${colour}`, async ({
      page,
      context,
    }) => {
      if (value) await context.addCookies([{ name: 'hs_h5_colorType', value, url: origin() }]);
      await openIn(page, '/invest');
      await expect.poll(() => openStreams(page)).toHaveLength(1);
      await send(page, { ...ARAMCO, highAndLowLimited: '0.0123' });
      const change = row(page).locator('bdi[dir="ltr"]', { hasText: '+1.23%' });
      await change.waitFor();
      const [shown, token] = await change.evaluate((node, name) => {
        const probe = document.createElement('span');
        probe.style.color = `var(--${name})`;
        node.parentElement?.append(probe);
        const colours = [getComputedStyle(node).color, getComputedStyle(probe).color];
        probe.remove();
        return colours;
      }, colour);
      expect(shown).toBe(token);
    });
});

test.describe('a product page', EACH_LOCALE, () => {
  test('has live prices without interaction if a tall window shows them', async ({
    page,
    locale,
  }) => {
    await page.setViewportSize({ width: 1280, height: 6000 });
    await openIn(page, '/invest/saudi-stocks', locale);
    await expect.poll(() => openStreams(page)).toHaveLength(1);
  });

  test('keeps its HTML until its lazy parts are loaded, then hydrates them', async ({
    page,
    pageErrors,
    locale,
  }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/ProductUpdates-[^/]*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    await openIn(page, '/invest/us-options', locale);
    const before = await words(page);
    const prices = page.locator('section[aria-labelledby="prices"]');
    await prices.scrollIntoViewIfNeeded();
    expect(await prices.isVisible()).toBe(true);
    expect(await openStreams(page)).toEqual([]);
    release();
    await expect.poll(() => openStreams(page)).toHaveLength(1);
    expect(await words(page)).toBe(before);
    expect(pageErrors).toEqual([]);
  });

  test('follows links in never hydrated parts without loading a document', async ({
    page,
    locale,
  }) => {
    await openIn(page, '/invest/us-options', locale);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await page.locator(`#fees a[href="/${locale}/pricing"]`).click();
    await waitForPageId(page, 'pricing');
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  });
});
