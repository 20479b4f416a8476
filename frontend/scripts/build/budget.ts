/**
 * Maximum gzipped bytes that a page may load. `initialScripts` is what the first render imports;
 * lazily loaded parts share the rest of the 125 KB that e2e/script-budget.ts measures in a browser.
 */
export const BUDGET = {
  initialScripts: 122_000,
  pageChunk: 15_000,
  styles: 15_000,
  fonts: 70_000,
  fontFiles: 2,
};

/** What one page loads in one language. */
export interface Load {
  page: string;
  locale: string;
  initialScripts: number;
  pageChunk: number;
  styles: number;
  fonts: number;
  fontFiles: number;
}

/** Descriptions of the budgets that a page exceeds. */
export function exceeded(load: Load): string[] {
  const kinds = Object.keys(BUDGET) as (keyof typeof BUDGET)[];
  return kinds
    .filter((kind) => load[kind] > BUDGET[kind])
    .map((kind) => `${load.page} (${load.locale}): ${kind} ${load[kind]} of ${BUDGET[kind]}`);
}
