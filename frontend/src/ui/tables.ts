/** An amount and its currency. */
const AMOUNT = /\b(SAR|USD) (?=\d)|(\d) (?=(?:ريال|دولار|هلل|سنت))/g;
/** A cell of at most 16 characters, tags not counted, which is not the first of its row. */
const SHORT_CELL = /(?<=<\/t[dh]>\s*<t[dh])([^>]*>(?:<\w[^>]*>)*[^<]{1,16})(?=<)/g;

/**
 * Sanitised HTML with each table in a labelled region that the keyboard reaches and scrolls. Short
 * cells with a number get the class `figure`; an amount is joined with its currency everywhere.
 */
export function scrollableTables(
  html: string,
  region: string,
  figure: string,
  labelOf: (n: number) => string,
): string {
  let count = 0;
  return html
    .replace(AMOUNT, '$1$2\u00a0')
    .replace(SHORT_CELL, (cell) => (/>.*\d/.test(cell) ? ` class="${figure}"${cell}` : cell))
    .replace(/<table(?=[\s>])/g, (table) => {
      count += 1;
      return `<section class="${region}" aria-label="${labelOf(count)}" tabindex="0">${table}`;
    })
    .replace(/<\/table>/g, '$&</section>');
}
