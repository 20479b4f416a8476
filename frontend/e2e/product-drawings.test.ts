import { PRODUCTS } from '../src/features/products/products.ts';
import { address } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

test.use({ javaScriptEnabled: false });

for (const product of Object.values(PRODUCTS).flat())
  test(
    `the drawing of ${product} has its colours and direction without scripts`,
    EACH_LOCALE,
    async ({ page, locale }) => {
      await page.goto(address(locale, `/invest/${product}`));
      const drawing = page.locator(`main svg[data-product="${product}"]`).first();
      await expect(drawing).toBeVisible();
      const { fills, transform, isChart } = await drawing.evaluate((svg) => ({
        fills: [...svg.querySelectorAll('path')].map((path) => getComputedStyle(path).fill),
        transform: getComputedStyle(svg).transform,
        isChart: svg.hasAttribute('data-chart'),
      }));
      expect(fills.length).toBeGreaterThan(2);
      expect(fills).not.toContain('rgb(0, 0, 0)');
      const isMirrored = locale === 'ar-sa' && !isChart;
      expect(transform).toBe(isMirrored ? 'matrix(-1, 0, 0, 1, 0, 0)' : 'none');
    },
  );
