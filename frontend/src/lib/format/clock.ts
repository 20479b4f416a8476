import type { Locale } from '~/lib/locale';

/** Formats a time of day (`17:00`): `17:00` in English, `5:00 مساءً` in Arabic. */
export function formatClock(locale: Locale, time: string): string {
  if (locale !== 'ar-sa') return time;
  const [hour = '', minute = ''] = time.split(':');
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'صباحًا' : 'مساءً'}`;
}
