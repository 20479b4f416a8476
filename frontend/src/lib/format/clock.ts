import type { Locale } from '~/lib/locale';

/**
 * Formats a time of day (`17:00`): `17:00` in English, `5:00 مساءً` in Arabic, in tables and diagrams
 * `5:00 م`.
 */
export function formatClock(locale: Locale, time: string, style?: 'short'): string {
  if (locale !== 'ar-sa') return time;
  const [hour = '', minute] = time.split(':');
  const part = +hour < 12 ? 'صباحًا' : +hour < 15 ? 'ظهرًا' : +hour < 17 ? 'عصرًا' : 'مساءً';
  return `${+hour % 12 || 12}:${minute}\u00a0${style ? (+hour < 12 ? 'ص' : 'م') : part}`;
}

/** How long a video is: `2:05`, `1:02:05`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
