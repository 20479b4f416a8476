import { describe, expect, test } from 'vitest';
import type { CorporateEventJson } from '~/gen/sahm/quotes/v1/markets_pb';
import { byDate, eventTypeOf, formatDay } from './CorporateEvents';

const event = (date: string, securityCode: string, eventType = 'results'): CorporateEventJson => ({
  id: `${date}:${securityCode}:${eventType}`,
  date,
  securityCode,
  eventType,
});

describe('events by date', () => {
  test.each([
    { name: 'none', events: [], days: [] },
    {
      name: 'two on one day and one on the next',
      events: [
        event('2026-11-29', '1120'),
        event('2026-11-29', '2222'),
        event('2026-11-30', 'AAPL'),
      ],
      days: ['2026-11-29 1120 2222', '2026-11-30 AAPL'],
    },
    {
      name: 'unknown types are left out, with a day that has no other',
      events: [event('2026-11-29', '1120', 'split'), event('2026-11-30', 'AAPL')],
      days: ['2026-11-30 AAPL'],
    },
    {
      name: 'an event without a date is left out',
      events: [event('', '1120'), event('2026-11-30', 'AAPL')],
      days: ['2026-11-30 AAPL'],
    },
  ])('$name', ({ events, days }) => {
    const shown = [...byDate(events)].map(([date, ofDay]) =>
      [date, ...ofDay.map(({ securityCode }) => securityCode)].join(' '),
    );
    expect(shown).toEqual(days);
  });
});

test('the first six known events are shown', () => {
  const split = event('2026-11-29', '4013', 'split');
  const codes = ['1120', '2222', '1180', '2010', 'AAPL', 'MSFT', 'NVDA'];
  const days = byDate([split, ...codes.map((code) => event('2026-11-30', code))]);
  expect([...days.values()].flat().map(({ securityCode }) => securityCode)).toEqual(
    codes.slice(0, 6),
  );
});

test.each([
  { eventType: 'results', known: true },
  { eventType: 'ex_dividend', known: true },
  { eventType: 'dividend_payment', known: true },
  { eventType: 'split', known: false },
  { eventType: undefined, known: false },
])('the type $eventType', ({ eventType, known }) => {
  expect(eventTypeOf({ eventType } as CorporateEventJson)).toBe(known ? eventType : undefined);
});

test.each([
  {
    date: '2026-11-30',
    english: 'Monday 30\u00a0November',
    arabic: 'الاثنين 30\u00a0نوفمبر',
  },
  { date: '2027-01-01', english: 'Friday 1\u00a0January', arabic: 'الجمعة 1\u00a0يناير' },
])('the day $date', ({ date, english, arabic }) => {
  expect(formatDay('en-us', date)).toBe(english);
  expect(formatDay('ar-sa', date)).toBe(arabic);
});
