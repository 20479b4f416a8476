import { describe, expect, test } from 'vitest';
import {
  byRule,
  drawingOf,
  headlineOf,
  stateOf,
  themeOf,
  toneOf,
  weekOf,
  winsOf,
} from './campaign';

test.each([
  [99, 'notStarted'],
  [100, 'notStarted'],
  [101, 'active'],
  [199, 'active'],
  [200, 'ended'],
  [201, 'ended'],
])('at %d a campaign from 100 to 200 is %s', (now, state) => {
  expect(stateOf({ beginAt: 100, endAt: 200 }, now)).toBe(state);
});

const themes = [
  { id: '0', tone: 'green' },
  { id: '1', tone: 'plaid' },
];

test.each([
  ['1', '1'],
  ['7', '0'],
  [undefined, '0'],
])('theme %s is %s', (asked, id) => {
  expect(themeOf({ themes }, asked)?.id).toBe(id);
});

test('an unknown tone is night', () => {
  expect(themes.map(toneOf)).toEqual(['green', 'night']);
  expect(toneOf(undefined)).toBe('night');
});

describe('the headline', () => {
  test.each([
    [{ hasDraws: true }, { weeklyPrize: '18888', shareValueMin: '80' }, 'prize', '18888'],
    [{}, { weeklyPrize: '18888', shareValueMin: '80' }, 'share', '80'],
    [{ hasDraws: true }, { shareValueMin: '80' }, 'share', '80'],
  ] as const)('of %j with %j', (campaign, custom, kind, amount) => {
    expect(headlineOf(campaign, custom)).toEqual({ kind, amount });
  });

  test('is left out where no figure is known', () => {
    expect(headlineOf({}, {})).toBeUndefined();
  });
});

const drawn = (count: number) => ({
  state: 'revealed',
  wins: Array.from({ length: count }, (_, id) => ({ id: String(id) })),
});

test.each([
  { name: 'all drawn', state: 'ended', draws: [drawn(1), drawn(2)], wins: 3 },
  {
    name: 'one still closed',
    state: 'ended',
    draws: [drawn(1), { state: 'closed' }],
    wins: undefined,
  },
  { name: 'no draws', state: 'ended', draws: [], wins: undefined },
  { name: 'all drawn while it runs', state: 'active', draws: [drawn(1)], wins: undefined },
] as const)('winning tickets of a campaign: $name', ({ state, draws, wins }) => {
  expect(winsOf(state, draws)).toBe(wins);
});

test('countries whose rules read alike stand together', () => {
  const rules = [
    { id: '1', text: 'a' },
    { id: '2', text: 'b' },
    { id: '3', text: 'b' },
  ];
  expect(byRule(rules).map((alike) => alike.map(({ id }) => id))).toEqual([['1'], ['2', '3']]);
});

test.each([
  ['2026-week-3', 3],
  ['2026-week-12', 12],
  ['final', undefined],
  ['2026-week-', undefined],
])('the draw %s is of week %s', (id, week) => {
  expect(weekOf(id)).toBe(week);
});

describe('drawingOf', () => {
  test.each(['eidAlAdha', 'nationalDay'])('draws %s in rows of one length', (kind) => {
    const rows = drawingOf(kind) ?? [];
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    expect(rows.join('')).toMatch(/^[.#]+$/);
  });

  test('draws each occasion differently, and none without an occasion', () => {
    expect(drawingOf('eidAlAdha')).not.toEqual(drawingOf('nationalDay'));
    for (const kind of ['regular', 'raffle', undefined]) expect(drawingOf(kind)).toBeUndefined();
  });
});
