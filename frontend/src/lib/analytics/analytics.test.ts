import { describe, expect, test } from 'vitest';
import { ApiError } from '~/lib/api';
import { HeatmapCounter } from './heatmap';
import { isWorthKeeping, newEventId, parseQueue } from './report';
import { shareDataOf, visitOf } from './visit';

const cookie = (data: unknown) =>
  `lang=en-us; sahm_spm_share_data=${encodeURIComponent(JSON.stringify(data))}`;

test.each([
  [cookie({ pid: 'a', scnl: 7, c: '', expired: 1 }), { pid: 'a', scnl: '7', c: '' }],
  [cookie({}), { pid: '', scnl: '', c: '' }],
  ['sahm_spm_share_data=%7B', undefined],
  ['sahm_spm_share_data=%', undefined],
  [cookie('x'), undefined],
  [cookie(null), undefined],
  [cookie({ pid: 12 }), { pid: '12', scnl: '', c: '' }],
  [cookie({ pid: { a: 1 } }), { pid: '', scnl: '', c: '' }],
  ['other_sahm_spm_share_data=%7B%22pid%22%3A%221%22%7D', undefined],
  ['', undefined],
])('%s', (cookies, data) => {
  expect(shareDataOf(cookies)).toEqual(data);
});

describe('a visit is reported', () => {
  const share = { pid: 'a', scnl: '7', c: '' };
  const mark = JSON.stringify(share);
  const noCampaign = { pid: '', scnl: '', c: '' };
  const reported = visitOf(undefined, 'home', null)?.seen ?? null;

  test.each([
    ['the first time', undefined, null, { page: 'home' }],
    ['not again', undefined, '{}', undefined],
    ['with its campaign', share, null, { page: 'home', ...share }],
    ['when a campaign brings it', share, '{}', { page: 'home', ...share }],
    ['not again when a page says that there is none', noCampaign, reported, undefined],
    ['not again with the same campaign', share, mark, undefined],
    ['not again when the cookie is gone', undefined, mark, undefined],
  ] as const)('%s', (_, data, seen, value) => {
    expect(visitOf(data, 'home', seen)?.value).toEqual(value);
  });
});

test.each([
  [new ApiError('timeout'), true],
  [new ApiError('service', 503), true],
  [new ApiError('service', 429), true],
  [new ApiError('service', 10_000_003), false],
  [new ApiError('service', 403), false],
  [new Error('x'), false],
])('after %s a report is kept: %s', (error, kept) => {
  expect(isWorthKeeping(error)).toBe(kept);
});

test('an event id begins with the time', () => {
  const random = '919108f7-52d1-4320-9bac-f847db4148a8';
  // The example of RFC 9562, appendix A.6, with another random part.
  expect(newEventId(0x017f22e279b0, random)).toBe('017f22e2-79b0-7320-9bac-f847db4148a8');
  expect(newEventId(1, random)).toBe('00000000-0001-7320-9bac-f847db4148a8');
});

test('at most 50 events are kept, the newest', () => {
  const events = Array.from({ length: 60 }, (_, n) => ({ eventId: `e${n}`, eventName: 'x' }));
  const kept = parseQueue([{ eventId: 1 }, 'x', ...events]);
  expect(kept).toHaveLength(50);
  expect(kept.at(-1)?.eventId).toBe('e59');
  expect(parseQueue('x')).toEqual([]);
});

describe('the heatmap', () => {
  test('counts clicks by tenth of the page, and how far it was scrolled', () => {
    const heat = new HeatmapCounter();
    for (const [y, height] of [
      [0, 1000],
      [99, 1000],
      [999, 1000],
      [1200, 1000],
    ] as const) {
      heat.click(y, height);
    }
    heat.scroll(400, 1000);
    heat.scroll(300, 1000);
    expect(heat.take('news-us')).toEqual({
      page: 'news-us',
      clicks: '2,0,0,0,0,0,0,0,0,2',
      depth: 40,
    });
    expect(heat.take('news-us')).toBeUndefined();
  });

  test.each([
    ['home', true],
    ['news', true],
    ['news-content', true],
    ['invest-us-etfs', true],
    ['download-index_v1', true],
    ['pricing', false],
    ['newsroom', false],
    ['not-found', false],
  ])('on %s: %s', (page, counted) => {
    expect(HeatmapCounter.isCounted(page)).toBe(counted);
  });
});
