import { test as base, expect } from '@playwright/test';
import type { Locale } from '../src/lib/locale.ts';
import { pageErrorsOf } from './browser.ts';

/** Tags of tests that run in every project of that dimension (playwright.config.ts). */
export const EACH_LOCALE = { tag: '@each-locale' };
export const EACH_DEVICE = { tag: '@each-device' };
export const EACH_SCHEME = { tag: '@each-scheme' };

export interface SiteOptions {
  /** Playwright's option, limited to the site's languages; it applies to pages and browser. */
  locale: Locale;
  /** Whether console messages, uncaught errors or failed requests fail the test. */
  failsOnPageErrors: boolean;
}

export const test = base.extend<SiteOptions & { pageErrors: string[] }>({
  failsOnPageErrors: [false, { option: true }],
  page: async ({ page, failsOnPageErrors }, use) => {
    const pageErrors = pageErrorsOf(page);
    await use(page);
    if (failsOnPageErrors) expect(pageErrors).toEqual([]);
  },
  /** The page's console messages, uncaught errors and failed requests. */
  pageErrors: async ({ page }, use) => use(pageErrorsOf(page)),
});

export { expect };
