import type { Locale } from '~/lib/locale';
import { formatNumber } from './format';

/** Formats a large count with three significant digits: `1.23M`, `1.23 مليون`. */
export function formatCompact(locale: Locale, value: number | string): string {
  return formatNumber(locale, value, {
    notation: 'compact',
    minimumSignificantDigits: Number(value) < 1000 ? 1 : 3,
    maximumSignificantDigits: 3,
  });
}
