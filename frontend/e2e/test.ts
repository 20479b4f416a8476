import { test as base, expect } from '@playwright/test';
import type { Locale } from '../src/lib/locale.ts';
import { complaintsOf } from './browser.ts';

/** Tags of tests that run in every project of that dimension (playwright.config.ts). */
export const EACH_LOCALE = { tag: '@each-locale' };
export const EACH_DEVICE = { tag: '@each-device' };
export const EACH_SCHEME = { tag: '@each-scheme' };

export interface SiteOptions {
  /** Playwright's own option, here one of the site's languages: that of the pages and the browser. */
  locale: Locale;
  /** Whether anything that the page complains about fails the test. */
  failsOnComplaints: boolean;
}

export const test = base.extend<SiteOptions & { complaints: string[] }>({
  failsOnComplaints: [false, { option: true }],
  page: async ({ page, failsOnComplaints }, use) => {
    const complaints = complaintsOf(page);
    await use(page);
    if (failsOnComplaints) expect(complaints).toEqual([]);
  },
  /** Everything the page complains about, filled as it comes. */
  complaints: async ({ page }, use) => use(complaintsOf(page)),
});

export { expect };
