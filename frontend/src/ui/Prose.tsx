import { keepTogether } from '~/lib/format/no-break';
import type { Language } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import styles from './prose.module.css';

/** Sanitised HTML of an article or document; wide tables scroll. */
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
  const { text, region = '', figure = '' } = styles;
  return (
    <div
      className={[text, className].filter(Boolean).join(' ')}
      {...language}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML is sanitised on import
      dangerouslySetInnerHTML={{
        __html: scrollableTables(html, region, figure, (n) => t('table', { n })),
      }}
    />
  );
}

/** A cell of at most 16 characters without tags, except the first of a row. */
const SHORT_CELL = /(?<=<\/t[dh]>\s*<t[dh])([^>]*>(?:<\w[^>]*>)*[^<]{1,16})(?=<)/g;

/**
 * Puts each table of sanitised HTML into a labelled, focusable region that scrolls. Short cells
 * with a number get the class `figure`; figures stay on a line with their units.
 */
export function scrollableTables(
  html: string,
  region: string,
  figure: string,
  labelOf: (n: number) => string,
): string {
  let count = 0;
  return keepTogether(html)
    .replace(SHORT_CELL, (cell) => (/>.*\d/.test(cell) ? ` class="${figure}"${cell}` : cell))
    .replace(/<table(?=[\s>])/g, (table) => {
      count += 1;
      return `<section class="${region}" aria-label="${labelOf(count)}" tabindex="0">${table}`;
    })
    .replace(/<\/table>/g, '$&</section>');
}
