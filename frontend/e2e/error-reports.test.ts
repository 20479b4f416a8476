import type { Page } from '@playwright/test';
import { open } from './browser.ts';
import { address } from './site.ts';
import { expect, test } from './test.ts';

let reports: URLSearchParams[];

type Json = Record<string, unknown>;

/** Opens a page, optionally as in production. Reports are intercepted and not forwarded. */
async function openPricing(
  page: Page,
  production: boolean,
  damage: (document: Json) => void = () => {},
) {
  reports = [];
  await page.route('**/api/log/report', async (route) => {
    reports.push(new URLSearchParams(route.request().postData() ?? ''));
    await route.fulfill({ json: { code: 10_000_000, data: null } });
  });
  const url = address('en-us', '/pricing');
  if (production) {
    await page.route(url, async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const body = html.replace(/(?<=id="sahm-page"[^>]*>)[^<]*/, (json) => {
        const payload = JSON.parse(json) as { document: Json };
        damage(payload.document);
        return JSON.stringify({ ...payload, production: true }).replaceAll('<', '\\u003c');
      });
      expect(body).not.toBe(html);
      await route.fulfill({ response, body });
    });
  }
  await open(page, url);
  await page.waitForLoadState('networkidle');
}

/** Causes `count` uncaught errors, alternately thrown and rejected, and waits for their events. */
const fail = (page: Page, count: number) =>
  page.evaluate(async (times) => {
    let seen = 0;
    const all = new Promise<void>((resolve) => {
      const one = () => {
        seen += 1;
        if (seen === times) resolve();
      };
      window.addEventListener('error', one);
      window.addEventListener('unhandledrejection', one);
    });
    for (let at = 0; at < times; at += 1) {
      const error = new Error(`failure ${at}`);
      if (at % 2) Promise.reject(error);
      else
        setTimeout(() => {
          throw error;
        });
    }
    await all;
  }, count);

test('uncaught errors are reported in production, at most five for each document', async ({
  page,
}) => {
  await openPricing(page, true);
  await fail(page, 8);
  await expect.poll(() => reports.length).toBe(5);
  await page.waitForLoadState('networkidle');
  expect(reports).toHaveLength(5);
  for (const report of reports) {
    expect(report.get('message')).toMatch(/^failure \d$/);
    expect(report.get('url')).toBe(page.url());
    expect(report.get('build')).toBeTruthy();
  }
});

const damageLayout = (key: string) => (document: Json) => {
  const { layoutData } = document.frame as { layoutData: Json };
  layoutData[key] = {};
};

for (const [what, damage] of [
  ['content', (document: Json) => Object.assign(document, { feeSchedule: { effectiveAt: {} } })],
  ['optional part', (document: Json) => delete (document.feeSchedule as Json).us],
  ['header', damageLayout('header')],
  ['footer', damageLayout('footer')],
] as const)
  test(`a render error of the ${what} is reported once, and the other regions stay`, async ({
    page,
  }) => {
    await openPricing(page, true, damage);
    await expect.poll(() => reports.length).toBeGreaterThan(0);
    // Reports are sent in order, so a duplicate of the render error's report would arrive before
    // this one.
    await fail(page, 1);
    const messages = () => reports.map((report) => report.get('message'));
    await expect.poll(messages).toContain('failure 0');
    expect(messages()).toEqual([expect.not.stringMatching(/^failure/), 'failure 0']);
    expect(reports[0]?.get('stack')).toContain('.js');
    const heading = page.locator('main h1');
    if (what === 'content') await heading.getByText('Service maintenance').waitFor();
    else expect(await heading.textContent()).not.toContain('Service maintenance');
    for (const part of ['header', 'footer']) {
      expect(await page.locator(`[data-chrome="${part}"]`).isVisible()).toBe(part !== what);
    }
  });

test('uncaught errors are not reported outside production', async ({ page }) => {
  await openPricing(page, false);
  await fail(page, 2);
  await page.waitForLoadState('networkidle');
  expect(reports).toEqual([]);
});
