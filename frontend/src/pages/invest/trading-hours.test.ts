import { expect, test } from 'vitest';
import { clockOf, nowIn, type RowName } from './trading-hours';

const [OPEN, BEFORE, AFTER, CLOSED] = [1, 2, 3, 4];

test.each<[string, RowName, number, string, number | undefined]>([
  ['open', 'saudi', OPEN, '2026-11-26T12:30:00', 12.5],
  ['in the opening auction', 'saudi', BEFORE, '2026-11-26T09:45:00', 9.75],
  ['in the closing auction', 'saudi', AFTER, '2026-11-26T15:06:00', 15.1],
  ['on a closed day', 'saudi', CLOSED, '2026-11-27T12:30:00', undefined],
  ['of unknown state', 'saudi', 0, '2026-11-26T12:30:00', undefined],
  ['open in winter', 'winter', OPEN, '2026-11-25T20:00:00', 20],
  ['open in winter, by the hours of summer', 'summer', OPEN, '2026-11-25T20:00:00', undefined],
  ['open in summer', 'summer', OPEN, '2026-07-01T20:00:00', 20],
  ['open in summer, by the hours of winter', 'winter', OPEN, '2026-07-01T20:00:00', undefined],
  ['before the opening', 'winter', BEFORE, '2026-11-25T13:00:00', 13],
  ['after an early close', 'winter', AFTER, '2026-11-27T21:30:00', undefined],
  ['after the close at night', 'winter', AFTER, '2026-11-26T01:30:00', undefined],
])('the current time is drawn for a market %s', (_, row, state, time, hour) =>
  expect(nowIn(row, state, Date.parse(`${time}+03:00`) / 1000)).toEqual(hour),
);

test.each([
  [8, '08:00'],
  [16.5, '16:30'],
  [15 + 1 / 3, '15:20'],
])('the hour %d is %s', (hour, time) => expect(clockOf(hour)).toBe(time));
