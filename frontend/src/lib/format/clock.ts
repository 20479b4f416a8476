import type { Locale } from '~/lib/locale';

/** An hour of the day (`17:00`) as texts name it: `17:00`, in Arabic `5:00 مساءً`. */
export function formatClock(locale: Locale, time: string): string {
  if (locale !== 'ar-sa') return time;
  const [hour = '', minute = ''] = time.split(':');
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'صباحًا' : 'مساءً'}`;
}
