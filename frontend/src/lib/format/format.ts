import { LOCALES, type Locale } from '~/lib/locale';

/** Times on pages are Riyadh's. */
export const TIME_ZONE = 'Asia/Riyadh';

type Decimal = `${number}`;

const LRM = '\u200e';

const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

function numberFormat(locale: Locale, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const id = locale + JSON.stringify(options);
  let format = numbers.get(id);
  if (!format) {
    format = new Intl.NumberFormat(LOCALES[locale].intl, options);
    numbers.set(id, format);
  }
  return format;
}

function dateFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const id = locale + JSON.stringify(options);
  let format = dates.get(id);
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALES[locale].prose, { timeZone: TIME_ZONE, ...options });
    dates.set(id, format);
  }
  return format;
}

/** A number in the language's way, Western digits. A decimal in a string keeps every digit. */
export function formatNumber(
  locale: Locale,
  value: number | string,
  options: Intl.NumberFormatOptions = {},
): string {
  return numberFormat(locale, options).format(value as Decimal);
}

/** An amount of money with its currency, two decimals unless told: `SAR 3.00`, `$1.99`. */
export function formatMoney(
  locale: Locale,
  value: number | string,
  currency: 'SAR' | 'USD',
  options: Intl.NumberFormatOptions = {},
): string {
  return formatNumber(locale, value, { style: 'currency', currency, ...options });
}

/** A rate as a percentage with as many decimals as it has: `0.00105` is `0.105%`, as Western digits have it. */
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
  // After an Arabic letter the sign would else stand at the other end of its digits.
  return LOCALES[locale].dir === 'rtl' && !text.startsWith(LRM) ? LRM + text : text;
}

/** A fee's part of an amount, with the three decimals that it is quoted with: `0.030%`. */
export function formatFeeRate(locale: Locale, rate: number | string): string {
  return formatPercent(locale, rate, { minimumFractionDigits: 3 });
}

/** A point in time (epoch seconds) in Riyadh's time. */
export function formatDateTime(
  locale: Locale,
  epoch: number,
  options: Intl.DateTimeFormatOptions,
): string {
  return dateFormat(locale, options).format(epoch * 1000);
}

/** A day written out: `21 November 2026`. */
export function formatDate(locale: Locale, epoch: number): string {
  return formatDateTime(locale, epoch, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** Riyadh's clocks are ahead of UTC's by this many seconds all year. */
const AHEAD = 3 * 3600;

/**
 * The year, for the copyright line. By arithmetic: every page has one, and a phone makes a format
 * for longer than it renders the footer.
 */
export function formatYear(epoch: number): string {
  return String(new Date((epoch + AHEAD) * 1000).getUTCFullYear());
}

/** For `<time dateTime>`. */
export function isoTime(epoch: number): string {
  return new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');
}

/** Names one after another as the language joins them: `Kuwait, Qatar and Oman`. */
export function formatList(locale: Locale, names: readonly string[]): string {
  return new Intl.ListFormat(LOCALES[locale].prose).format(names);
}
