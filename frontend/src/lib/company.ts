import { formatClock } from './format/clock';
import type { Locale } from './locale';

/** Facts about the company that texts mention. */
export const LICENCE_NUMBER = '22251-25';
export const CAPITAL_SAR = 93_750_000;
export const CAPITAL_BEFORE_SAR = 56_250_000;
export const COMPLAINT_BUSINESS_DAYS = 20;
/** Support hours in Riyadh, Sunday to Thursday. */
export const supportHours = (locale: Locale) => ({
  from: formatClock(locale, '9:30'),
  to: formatClock(locale, '17:00'),
});
