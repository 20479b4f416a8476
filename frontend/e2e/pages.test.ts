import type { Browser, Page } from '@playwright/test';
import { LOCALES, type Locale } from '../src/lib/locale.ts';
import { ALL_RULES, COLOUR_RULES, violations } from './axe.ts';
import {
  DEVICES,
  hydrated,
  layoutShifts,
  pageErrorsOf,
  type Scheme,
  sidewaysOverflow,
} from './browser.ts';
import { exceededScriptBudgets, recordScripts } from './script-budget.ts';
import { TARGETS, type Target, urlOf } from './site.ts';
import { EACH_DEVICE, EACH_LOCALE, EACH_SCHEME, expect as strictExpect, test } from './test.ts';

/** All checks of a page share one visit, and a failed check does not skip the others. */
const expect = strictExpect.configure({ soft: true });

/** Pages of every layout, with texts, numbers, forms and drawings. */
const OF_EACH_KIND = TARGETS.filter(({ name }) =>
  ['home', 'news', 'article', 'invest-us-options', 'pricing', 'about', 'support'].includes(name),
);

/** A page of each kind with lazily hydrated parts. */
const WITH_LAZY_PARTS = [
  'home',
  'article',
  'invest',
  'invest-us-options',
  'invest-us-stocks',
  'pricing',
  'download',
  'education-article',
  'preview',
  'campaign',
];

/** The narrowest and the widest window. */
const EXTREME_WINDOWS = {
  pc: { width: 2560, height: 1440 },
  mobile: { width: 320, height: 640 },
};

interface Visit {
  locale: Locale;
  platform: 'pc' | 'mobile' | 'app';
  colorScheme: Scheme;
}

/** Opens a page and makes the checks that apply to every page. */
async function visit(page: Page, target: Target, { locale, platform, colorScheme }: Visit) {
  const status = target.status ?? 200;
  const pageErrors = pageErrorsOf(page, status);
  const response = await page.goto(await urlOf(locale, target));
  await hydrated(page);
  await schemeApplies(page, colorScheme);

  expect(response?.status()).toBe(status);
  const root = page.locator('html');
  expect(await root.getAttribute('lang')).toBe(LOCALES[locale].tag);
  expect(await root.getAttribute('dir')).toBe(LOCALES[locale].dir);
  expect(await root.getAttribute('data-page')).toBe(target.page);
  expect(await root.getAttribute('data-platform')).toBe(platform);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.locator('main').count()).toBe(1);
  const missing = page.locator('[data-status="page-not-found"]');
  expect(await missing.count()).toBe(status === 404 ? 1 : 0);
  expect(await sidewaysOverflow(page)).toBe(0);
  expect(await layoutShifts(page)).toEqual([]);
  return pageErrors;
}

/** Waits for the colour scheme, which a busy browser may apply after the first paint. */
async function schemeApplies(page: Page, scheme: Scheme): Promise<void> {
  await page.waitForFunction(
    (scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches,
    scheme,
  );
}

/**
 * Checks accessibility. axe takes longer than all other checks, so a visit makes half of them: each
 * language and each device has all rules in light colours, and the rules of colours in dark ones.
 */
async function expectAccessible(page: Page, { locale, platform, colorScheme }: Visit) {
  if (colorScheme === 'dark') {
    expect(await violations(page, COLOUR_RULES)).toEqual([]);
  } else if ((locale === 'en-us') === (platform === 'pc')) {
    expect(await violations(page, ALL_RULES)).toEqual([]);
  } else {
    // With reduced motion, colours change at once.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await schemeApplies(page, 'dark');
    expect(await violations(page, COLOUR_RULES)).toEqual([]);
  }
}

/** The words of `main`, of the open page or of HTML, without times and prices, which scripts change. */
function words(page: Page, html?: string): Promise<string[]> {
  return page.evaluate((html) => {
    const read = html === undefined ? document : new DOMParser().parseFromString(html, 'text/html');
    const main = read.querySelector('main')?.cloneNode(true) as HTMLElement;
    const changing = 'time, noscript, [role="status"], [data-live]';
    for (const node of main.querySelectorAll(changing)) node.remove();
    return (main.textContent ?? '').split(/\s+/).filter((word) => word !== '');
  }, html);
}

/** Opens a page in a browser without scripts: its content must be visible. */
async function expectVisibleWithoutScripts(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  expect(await page.locator('h1').isVisible()).toBe(true);
  await context.close();
}

for (const target of TARGETS) {
  const schemes = OF_EACH_KIND.includes(target) ? [EACH_SCHEME.tag] : [];
  const tag = [EACH_LOCALE.tag, EACH_DEVICE.tag, ...schemes];
  test(target.name, { tag }, async ({ page, browser, locale, isMobile, colorScheme }) => {
    const scripts = recordScripts(page);
    const platform = isMobile ? 'mobile' : 'pc';
    const view: Visit = { locale, platform, colorScheme: colorScheme as Scheme };
    const pageErrors = await visit(page, target, view);
    await expectAccessible(page, view);
    if (colorScheme === 'light' && platform === 'pc') {
      const html = await (await page.request.get(page.url())).text();
      const sent = await words(page, html);
      expect(sent.length).toBeGreaterThan(3);
      expect(sent, 'words without scripts').toEqual(await words(page));
      if (OF_EACH_KIND.includes(target)) await expectVisibleWithoutScripts(browser, page.url());
      expect(exceededScriptBudgets(await scripts())).toEqual([]);
    }
    await page.setViewportSize(EXTREME_WINDOWS[platform]);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(pageErrors).toEqual([]);
  });
}

test.describe('in a window that shows every part', EACH_LOCALE, () => {
  test.use({ viewport: { width: 1440, height: 6000 } });

  for (const target of TARGETS.filter(({ name }) => WITH_LAZY_PARTS.includes(name)))
    test(`${target.name} keeps the script budget`, async ({ page, locale }) => {
      const scripts = recordScripts(page);
      await page.goto(await urlOf(locale, target));
      await hydrated(page);
      expect(exceededScriptBudgets(await scripts())).toEqual([]);
      expect(await layoutShifts(page)).toEqual([]);
    });
});

test.describe('in the app', EACH_LOCALE, () => {
  test.use({
    ...DEVICES.phone,
    userAgent: ({ locale }, use) =>
      use(`${DEVICES.phone.userAgent} SahmApp/5.1 Theme/${locale === 'ar-sa' ? 'dark' : 'light'}`),
  });

  for (const target of OF_EACH_KIND)
    test(target.name, async ({ page, locale }) => {
      const view = { locale, platform: 'app', colorScheme: 'light' } as const;
      expect(await visit(page, target, view)).toEqual([]);
      expect(await violations(page, ALL_RULES)).toEqual([]);
    });
});
