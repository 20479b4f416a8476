import { keepTogether } from '~/lib/format/no-break';
import type { Language } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import styles from './prose.module.css';

/**
 * Sanitised HTML of an article or document. Wide tables scroll; on phones, the rows of tables with
 * many columns become blocks.
 */
export function Prose({
  html = '',
  language,
  className,
}: {
  html: string | undefined;
  /** The text's language and direction, if they differ from the page's. */
  language: Language;
  className?: string | undefined;
}) {
  const t = useMessages('common');
  const { text, region = '', figure = '', stacked = '' } = styles;
  return (
    <div
      className={[text, className].filter(Boolean).join(' ')}
      {...language}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML is sanitised on import
      dangerouslySetInnerHTML={{
        __html: stackableTables(
          scrollableTables(html, region, figure, (n) => t('table', { n })),
          stacked,
        ),
      }}
    />
  );
}

/**
 * The space before a last word of at most 6 characters in a paragraph or list item. A figure that
 * is joined with its unit is no such word.
 */
const LAST_SPACE = /[ \n](?=[^ \n\u00a0<]{1,6}(?:<\/\w+>[.؟?]?)?<\/(?:p|li)>)/g;

/** Joins a short last word of paragraphs and list items to the one before. */
export function keepLastWord(html: string): string {
  return html.replace(LAST_SPACE, '\u00a0');
}

/** A cell of at most 16 characters without tags, except the first of a row. */
const SHORT_CELL = /(?<=<\/t[dh]>\s*<t[dh])([^>]*>(?:<\w[^>]*>)*[^<]{1,16})(?=<)/g;

/**
 * Puts each table of sanitised HTML into a labelled, focusable region that scrolls. Short cells
 * with a number, and dashes for missing ones, get the class `figure`; figures stay on a line with
 * their units, and short last words with those before.
 */
export function scrollableTables(
  html: string,
  region: string,
  figure: string,
  labelOf: (n: number) => string,
): string {
  let count = 0;
  return keepLastWord(keepTogether(html))
    .replace(SHORT_CELL, (cell) =>
      />.*\d|>[-–—]$/.test(cell) ? ` class="${figure}"${cell}` : cell,
    )
    .replace(/<table\b/g, (table) => {
      count += 1;
      return `<section class="${region}" aria-label="${labelOf(count)}" tabindex="0">${table}`;
    })
    .replace(/<\/table>/g, '$&</section>');
}

/** With fewer columns, a table fits a phone or scrolls only a little. */
const MIN_STACKED_COLUMNS = 4;
const TABLE = /<table\b[\s\S]*?<\/table>/g;
const HEAD = /<th\b[^>]*>([\s\S]*?)<\/th>/g;
const ROW = /<tr\b[\s\S]*?<\/tr>/g;
/** The last two cells of a row: a long explanation, then a text that fits beside the first cell. */
const EXPLAINED = /<td[^>]*>[^<]{31,}<\/td>\s*<td[^>]*>[^<]{1,20}<\/td>\s*<\/tr>/;
/** A first cell as wide as two, before one with words. */
const LONG_NAME = /<tr>\s*<td>[^<]{31,}<\/td>\s*<td[^>]*>[^<\d]/;
/** Captures the dash of a cell without a value. */
const CELL = /<t[dh]\b(?=([^>]*>[-–—]<)?)/g;
const MERGED = /\s(col|row)span=/;

/**
 * Gives tables whose rows become blocks on phones the class `stacked`, and their cells after the
 * first the name of their column as `data-label`; those with a dash are hidden there. Tables of
 * three columns get it if their names are long, and without labels if an explanation stands between
 * a name and a figure. Tables with merged cells or without a head stay as they are.
 */
export function stackableTables(html: string, stacked: string): string {
  const stack = (table: string) => table.replace('<table', `<table class="${stacked}"`);
  return html.replace(TABLE, (table) => {
    const [head = '', body] = table.split('</thead>', 2);
    if (body === undefined || MERGED.test(table)) return table;
    const labels = [...head.matchAll(HEAD)].map(([, name = '']) =>
      name.replace(/<[^>]*>/g, '').replaceAll('"', '&quot;'),
    );
    if (labels.length === 3 && EXPLAINED.test(body)) return stack(table);
    if (labels.length + (LONG_NAME.test(body) ? 1 : 0) < MIN_STACKED_COLUMNS) return table;
    const rows = body.replace(ROW, (row) => {
      let column = 0;
      return row.replace(CELL, (cell, dash?: string) => {
        const label = labels[column];
        column += 1;
        if (column === 1) return cell;
        return `${cell} data-label="${label ?? ''}"${dash ? ' data-missing=""' : ''}`;
      });
    });
    return stack(`${head}</thead>${rows}`);
  });
}
