import { address } from './site.ts';
import { expect, test } from './test.ts';

// The draft's picture is 160 pixels wide; its `@2x` and `@3x` files are 320 and 480.
for (const [deviceScaleFactor, width] of [
  [0.9, 160],
  [1, 320],
  [1.25, 320],
  [2, 320],
  [2.2, 480],
  [3, 480],
] as const)
  test.describe(`at a pixel ratio of ${deviceScaleFactor}`, () => {
    test.use({ deviceScaleFactor });

    test(`the picture of ${width} pixels is shown`, async ({ page }) => {
      const pictures: string[] = [];
      page.on('request', (request) => {
        if (/\/media\/\w+\.png$/.test(request.url())) pictures.push(request.url());
      });
      await page.goto(address('en-us', '/preview/drafts?draft=news-990001'));
      const image = page.locator('article figure img').first();
      await expect
        .poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBe(width);
      // No other size is fetched.
      expect(new Set(pictures).size).toBe(1);
    });
  });
