import type { Locale } from '~/lib/locale';
import { formatDateTime, TIME_ZONE } from './format';

/**
 * A relative time as a message key with values: `minutes` with `count` (at least 1), `hour` for one
 * hour, `today` with `time` (HH:mm), `date` with `text` (DD/MM HH:mm in this year, else DD/MM/YYYY
 * HH:mm).
 */
export type RelativeTime =
  | { kind: 'minutes'; count: number }
  | { kind: 'hour' }
  | { kind: 'today'; time: string }
  | { kind: 'date'; text: string };

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Both times are epoch seconds; a future time counts as now. */
export function relativeTime(now: number, then: number): RelativeTime {
  const age = Math.max(0, now - then);
  if (age < HOUR) return { kind: 'minutes', count: Math.floor(age / MINUTE) || 1 };
  if (age < 2 * HOUR) return { kind: 'hour' };
  const time = riyadhClock(then);
  return age < DAY
    ? { kind: 'today', time }
    : { kind: 'date', text: `${dateText(now, then)} ${time}` };
}

/** DD/MM in the year of `now`, else DD/MM/YYYY. */
function dateText(now: number, then: number): string {
  const { year, month, day } = partsOf(then);
  return year === partsOf(now).year ? `${day}/${month}` : `${day}/${month}/${year}`;
}

/** A weekday is unambiguous for this long. */
const MAX_WEEKDAY_AGE_SECONDS = 6 * DAY;

/** The time of a price: `Sun 14:59`, or with the date if the weekday is ambiguous. */
export function priceTime(locale: Locale, now: number, then: number): string {
  const day =
    now - then < MAX_WEEKDAY_AGE_SECONDS
      ? formatDateTime(locale, then, { weekday: 'short' })
      : dateText(now, then);
  return `${day} ${riyadhClock(then)}`;
}

/** HH:mm in Riyadh. */
export function riyadhClock(epoch: number): string {
  const { hour, minute } = partsOf(epoch);
  return `${hour}:${minute}`;
}

/** MM/DD/YYYY HH:mm in Riyadh, the format that the server renders. */
export function absoluteTime(epoch: number): string {
  const { year, month, day, hour, minute } = partsOf(epoch);
  return `${month}/${day}/${year} ${hour}:${minute}`;
}

let format: Intl.DateTimeFormat | undefined;

interface Parts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
}

/** Parses the formatted text: `formatToParts` costs twice as much. */
function partsOf(epoch: number): Parts {
  format ??= new Intl.DateTimeFormat('en-GB', {
    timeZone: TIME_ZONE,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [day = '', month = '', year = '', hour = '', minute = ''] =
    format.format(epoch * 1000).match(/\d+/g) ?? [];
  return { year, month, day, hour, minute };
}
