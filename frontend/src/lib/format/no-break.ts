const UNITS = 'ريال|دولار|هلل|سنت|كيلوبايت|ميجابايت|م\\.ب|صباح|مساء|ظهر|عصر|[KM]B\\b';
const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر';

/**
 * The space between a figure and its unit. The figure may be a value inserted before or after the
 * text.
 */
const BEFORE_FIGURE = /\b(SAR|USD) (?=\d|$)/g;
const AFTER_FIGURE = new RegExp(`(^|\\d) (?=${UNITS})`, 'g');
const BEFORE_MONTH = new RegExp(`(\\d) (?=(?:${MONTHS})(?!\\p{L}))`, 'gu');

/** An index whose name is part of funds' names, also in HTML. */
const INDEX = /S&(?:amp;)?P 500|إس آند بي 500/g;

/**
 * Joins amounts and currencies, sizes or clock times and units, days and months, and the words of
 * an index with no-break spaces.
 */
export function keepTogether(text: string): string {
  return text
    .replace(BEFORE_FIGURE, '$1\u00a0')
    .replace(AFTER_FIGURE, '$1\u00a0')
    .replace(BEFORE_MONTH, '$1\u00a0')
    .replace(INDEX, (name) => name.replaceAll(' ', '\u00a0'));
}
