import { LOCALES, type Locale } from '~/lib/locale';
import { keepTogether } from './no-break';

/** The site shows times in Riyadh's time zone. */
export const TIME_ZONE = 'Asia/Riyadh';

type Decimal = `${number}`;

const LRM = '\u200e';

/** The sign of a negative figure, as wide as the plus sign and the digits (U+2212). */
export const MINUS = '\u2212';

const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

/** A format from the cache, because creating one is slow. */
function cached<F>(formats: Map<string, F>, id: string, create: () => F): F {
  const format = formats.get(id) ?? create();
  formats.set(id, format);
  return format;
}

/** Formats a number for the locale with Western digits. A decimal string keeps all its digits. */
export function formatNumber(
  locale: Locale,
  value: number | string,
  options: Intl.NumberFormatOptions = {},
): string {
  const id = locale + JSON.stringify(options);
  const create = () => new Intl.NumberFormat(LOCALES[locale].intl, options);
  return cached(numbers, id, create).format(value as Decimal);
}

/** Formats a rate as a percentage with all its decimals: `0.00105` is `0.105%`. */
export function formatPercent(
  locale: Locale,
  rate: number | string,
  options: Intl.NumberFormatOptions = {},
): string {
  const text = formatNumber(locale, rate, {
    style: 'percent',
    maximumFractionDigits: 6,
    ...options,
  }).replace('٪', '%');
  // Without this mark the percent sign would move to the other side of the digits after an Arabic
  // letter.
  return LOCALES[locale].dir === 'rtl' && !text.startsWith(LRM) ? LRM + text : text;
}

/** Formats a fee rate with three decimals, as fees are quoted: `0.030%`. */
export function formatFeeRate(locale: Locale, rate: number | string): string {
  return formatPercent(locale, rate, { minimumFractionDigits: 3 });
}

/** Formats a time (epoch seconds) in Riyadh's time zone. */
export function formatDateTime(
  locale: Locale,
  epoch: number,
  options: Intl.DateTimeFormatOptions,
): string {
  const { prose } = LOCALES[locale];
  const create = () => new Intl.DateTimeFormat(prose, { timeZone: TIME_ZONE, ...options });
  return keepTogether(cached(dates, prose + JSON.stringify(options), create).format(epoch * 1000));
}

/** Formats a date in full: `21 November 2026`. */
export function formatDate(locale: Locale, epoch: number): string {
  return formatDateTime(locale, epoch, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** Riyadh has a constant offset from UTC: it has no daylight saving time. */
const RIYADH_OFFSET_SECONDS = 3 * 3600;

/**
 * The year, for the copyright line. Computed, because creating an `Intl.DateTimeFormat` takes a
 * phone longer than rendering the footer.
 */
export function formatYear(epoch: number): string {
  return String(new Date((epoch + RIYADH_OFFSET_SECONDS) * 1000).getUTCFullYear());
}

/** For `<time dateTime>`. */
export function isoTime(epoch: number): string {
  return new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');
}

/** Joins names for the locale: `Kuwait, Qatar and Oman`. */
export function formatList(locale: Locale, names: readonly string[]): string {
  return new Intl.ListFormat(LOCALES[locale].prose).format(names);
}
