import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOnly } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const ALL_RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Rules whose results depend on colours. */
export const COLOUR_RULES: RunOnly = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block'],
};

/** Violations that axe finds, one line each. */
export async function violations(page: Page, runOnly: RunOnly): Promise<string[]> {
  await transitionsEnd(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const results = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly,
        // Passed rules are not needed.
        resultTypes: ['violations'],
      }),
    runOnly,
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}): ${failureSummary}`,
    ),
  );
}

/**
 * Waits until colours no longer change: the theme may apply after the first paint, and the header fades.
 * The end of a transition may start another one.
 */
async function transitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const running = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
    do {
      await Promise.allSettled(running().map((one) => one.finished));
      await frame();
      await frame();
    } while (running().length > 0);
  });
}
