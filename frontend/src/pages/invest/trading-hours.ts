import { formatDateTime } from '~/lib/format/format';
import { riyadhClock } from '~/lib/format/time';

/** Sessions in hours of Riyadh time, which follow each other without a gap. */
export const ROWS = [
  {
    name: 'saudi',
    market: 'saudi',
    phases: [
      { from: 9.5, to: 10, isContinuous: false },
      { from: 10, to: 15, isContinuous: true },
      { from: 15, to: 15 + 1 / 3, isContinuous: false },
    ],
  },
  {
    name: 'summer',
    market: 'us',
    phases: [{ from: 16.5, to: 23, isContinuous: true }],
  },
  {
    name: 'winter',
    market: 'us',
    phases: [{ from: 17.5, to: 24, isContinuous: true }],
  },
] as const;

export type RowName = (typeof ROWS)[number]['name'];

/** The hours at the ends of the axis. */
export const [FIRST_HOUR, LAST_HOUR] = [8, 24];

/** Writes an hour as a time of day: 16.5 is `16:30`. */
export function clockOf(hour: number): string {
  return [Math.floor(hour), Math.round((hour % 1) * 60)]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Values of `mkt_tm_type`. */
const OPEN = 1;
const CLOSED = 4;

/**
 * The current hour of Riyadh's day, such as 9.5 for 9:30, if the market is in session and these
 * hours are in force: undefined on closed days, after an early close and in the other season.
 */
export function nowIn(row: RowName, mktTmType: number, epoch: number): number | undefined {
  const [hours = 0, minutes = 0] = riyadhClock(epoch).split(':').map(Number);
  const hour = hours + minutes / 60;
  const isOtherSeason = row !== 'saudi' && row !== seasonOf(epoch);
  if (mktTmType < OPEN || mktTmType >= CLOSED || hour < FIRST_HOUR || isOtherSeason)
    return undefined;
  const phases = ROWS.find(({ name }) => name === row)?.phases ?? [];
  const isInHours = phases.some(
    ({ from, to, isContinuous }) => isContinuous && from <= hour && hour < to,
  );
  return isInHours === (mktTmType === OPEN) ? hour : undefined;
}

/** The season of New York's clocks. */
function seasonOf(epoch: number): 'summer' | 'winter' {
  const offset = formatDateTime('en-us', epoch, {
    timeZone: 'America/New_York',
    timeZoneName: 'shortOffset',
  });
  return offset.endsWith('GMT-4') ? 'summer' : 'winter';
}
