const UNITS = 'ريال|دولار|هلل|سنت|كيلوبايت|ميجابايت|م\\.ب|صباح|مساء|ظهر|KB\\b|MB\\b';
const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر';

/**
 * The space between a figure and its unit. The figure may be a value inserted before or after the
 * text.
 */
const BEFORE_FIGURE = /\b(SAR|USD) (?=\d|$)/g;
const AFTER_FIGURE = new RegExp(`(^|\\d) (?=${UNITS})`, 'g');
const BEFORE_MONTH = new RegExp(`(\\d) (?=(?:${MONTHS})(?!\\p{L}))`, 'gu');

/**
 * Joins amounts and currencies, sizes or clock times and units, days and months with no-break
 * spaces.
 */
export function keepTogether(text: string): string {
  return text
    .replace(BEFORE_FIGURE, '$1\u00a0')
    .replace(AFTER_FIGURE, '$1\u00a0')
    .replace(BEFORE_MONTH, '$1\u00a0');
}

/** A shorter text fits a line, or nearly. */
const MIN_WRAPPED_LENGTH = 40;
/** The longest last word, and the longest last two words, that look lost on a line. */
export const LAST_LENGTHS = [14, 9];
/** The space before at most so many characters, or values of a message, at the end of a text. */
const LAST_SPACE = LAST_LENGTHS.map((max) => new RegExp(` (?=(?:\\{\\w+\\}|[^ {}]){1,${max}}$)`));

/** Joins a short last word of a text to the one before, so that no line has only that word. */
export function keepLastWords(text: string): string {
  return text.length < MIN_WRAPPED_LENGTH
    ? text
    : LAST_SPACE.reduce((joined, space) => joined.replace(space, '\u00a0'), text);
}

/** Joins figures with their units, and the last words, in a text that no catalogue contains. */
export function keepText(text: string): string {
  return keepLastWords(keepTogether(text));
}
