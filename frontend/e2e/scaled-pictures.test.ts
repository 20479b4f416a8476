import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { address } from './site.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

// The draft's picture is 160 pixels wide, and 320 and 480 with its suffixes.
test.each([
  [0.9, 160],
  [1, 320],
  [1.25, 320],
  [2, 320],
  [2.2, 480],
  [3, 480],
])('at a pixel ratio of %d the picture of %d pixels is shown', async (deviceScaleFactor, width) => {
  const context = await browser.newContext({ deviceScaleFactor });
  const page = await context.newPage();
  const pictures: string[] = [];
  page.on('request', (request) => {
    if (/\/media\/\w+\.png$/.test(request.url())) pictures.push(request.url());
  });
  await page.goto(address('en-us', '/preview/drafts?draft=news-990001'));
  const image = page.locator('article figure img').first();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(width);
  // No other size is fetched beside it.
  expect(new Set(pictures).size).toBe(1);
  await context.close();
});
