/** How the page writes times. */

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Riyadh',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** `MM/DD/YYYY HH:mm` of epoch seconds, in Riyadh's time. */
export function timeText(epoch) {
  const parts = format.formatToParts(epoch * 1000).map(({ type, value }) => [type, value]);
  const { year, month, day, hour, minute } = Object.fromEntries(parts);
  return `${month}/${day}/${year} ${hour}:${minute}`;
}

export const isoTime = (epoch) => new Date(epoch * 1000).toISOString();
export const yearOf = (epoch) => new Date(epoch * 1000).getUTCFullYear();

/** `2:05` of seconds. */
export function clockTime(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`;
}
