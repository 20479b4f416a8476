import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PricingPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { renderInPage } from '~/lib/page/render-in-page';
import { Calculator } from './Calculator';

const { document: pricing } = JSON.parse(readFileSync('fixtures/pricing.en-us.json', 'utf8')) as {
  document: PricingPageJson;
};
let page: Awaited<ReturnType<typeof renderInPage>>;

beforeEach(async () => {
  const calculator = <Calculator schedule={pricing.feeSchedule ?? {}} />;
  page = await renderInPage(calculator, ['pricing', 'fees']);
});

function type(label: string, text: string) {
  const labels = [...page.container.querySelectorAll('label')];
  const id = labels.find((one) => one.textContent?.includes(label))?.htmlFor;
  const input = page.container.querySelector<HTMLInputElement>(`[id="${id}"]`);
  if (!input) throw new Error(`no field ${label}`);
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

const amount = () => page.container.querySelector('figcaption')?.textContent;

test('a bar of fees that all round to zero has widths', async () => {
  type('Number of shares', '1');
  type('Price', '0.01');
  await vi.waitFor(() => expect(amount()).toContain('0.01'));
  const rects = [...page.container.querySelectorAll('rect')];
  expect(rects.length).toBeGreaterThan(1);
  for (const rect of rects) {
    for (const name of ['x', 'width']) expect(Number(rect.getAttribute(name))).not.toBeNaN();
  }
});

test('an input error hides the last result in its place, and a good input shows the next', async () => {
  const before = amount();
  type('Number of shares', 'x');
  await vi.waitFor(() => expect(page.container.querySelector('[aria-invalid]')).not.toBeNull());
  expect(amount()).toBe(before);
  const result = page.container.querySelector('figure')?.parentElement;
  expect(result?.className).not.toBe('');
  type('Number of shares', '7');
  await vi.waitFor(() => expect(amount()).not.toBe(before));
  expect(result?.className).toBe('');
});
