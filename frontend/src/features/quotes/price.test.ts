import { describe, expect, test } from 'vitest';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import {
  decimalsOf,
  directionOf,
  extendedOf,
  formatChange,
  freshnessOf,
  isClosingPrice,
  sessionOf,
  stateOf,
  widestOf,
} from './price';

describe('the direction is the sign', () => {
  test.each([
    ['0.0123', 'up'],
    ['-0.0123', 'down'],
    ['0.00', 'flat'],
    ['-0.00', 'flat'],
    [undefined, 'flat'],
    ['', 'flat'],
    ['x', 'flat'],
  ])('%s is %s', (change, direction) => {
    expect(directionOf(change)).toBe(direction);
  });
});

describe('the change is a percentage with two decimals and a plus', () => {
  test.each([
    ['0.0123', '+1.23%'],
    ['-0.0123', '−1.23%'],
    ['0.00', '0.00%'],
    [undefined, '0.00%'],
    ['0.012345', '+1.23%'],
    ['0.012350', '+1.24%'],
    ['-0.012350', '−1.24%'],
    ['0.00001', '+0.00%'],
    ['-0.00001', '−0.00%'],
    ['12.5', '+1,250.00%'],
  ])('%s is %s', (change, text) => {
    expect(formatChange('en-us', change)).toBe(text);
    expect(formatChange('ar-sa', change)).toBe(text);
  });
});

describe('the state', () => {
  test.each([
    [{ status: 1, lastPrice: '8.00' }, 'delisted'],
    [{ status: 2, lastPrice: '8.00' }, 'paused'],
    [{ status: 2, isPreIpo: true }, 'paused'],
    [{ isPreIpo: true }, 'offering'],
    [{}, 'unpriced'],
    [{ lastPrice: '8.00' }, 'priced'],
  ])('%j is %s', (quote, state) => {
    expect(stateOf(quote)).toBe(state);
  });
});

describe('the freshness', () => {
  test.each([
    [{ isRealTime: true }, 'current'],
    [{}, 'delayed'],
    [{ isOld: true }, 'old'],
    [{ isRealTime: true, isOld: true }, 'old'],
  ])('%j is %s', (quote, freshness) => {
    expect(freshnessOf(quote)).toBe(freshness);
  });
});

describe('a closing price', () => {
  test.each([
    ['of an open market', { mktTmType: 1 }, false],
    ['before the opening', { mktTmType: 2 }, true],
    ['after the close', { mktTmType: 3 }, true],
    ['of a closed market', { mktTmType: 4 }, true],
    ['of a market in an unknown state', {}, false],
    ['of a paused security', { mktTmType: 4, status: 2 }, false],
    ['of a security without a price', { mktTmType: 4, lastPrice: '' }, false],
  ])('%s', (_, part, isClose) => {
    expect(isClosingPrice({ lastPrice: '9.00', ...part } as QuoteJson)).toBe(isClose);
  });
});

describe('the price outside the regular session', () => {
  const pHqdata = { lastPrice: '9.10', highAndLowLimited: '0.0111', mktTmType: 3, time: 7 };
  const price = { lastPrice: '9.10', highAndLowLimited: '0.0111', currency: 'USD', time: 7 };
  test.each([
    [{}, { session: 'after', price }],
    [{ pHqdata: { ...pHqdata, mktTmType: 2 } }, { session: 'before', price }],
    [
      { pHqdata: { lastPrice: '9.10', mktTmType: 2 } },
      { session: 'before', price: { ...price, highAndLowLimited: '', time: 0 } },
    ],
    [{ pHqdata: undefined }, undefined],
    [{ pHqdata: { ...pHqdata, lastPrice: '' } }, undefined],
    [{ pHqdata: { ...pHqdata, mktTmType: 1 } }, undefined],
    [{ status: 1 }, undefined],
    [{ status: 2 }, undefined],
    [{ isPreIpo: true }, undefined],
  ])('of %j is %j', (part, extended) => {
    const quote = { lastPrice: '9.00', currency: 'USD', pHqdata, ...part };
    expect(extendedOf(quote as QuoteJson)).toEqual(extended);
  });
});

test.each([
  ['25.40', 2],
  ['25', 2],
  ['25.4', 2],
  ['0.0123', 4],
])('%s has %d decimals', (price, decimals) => {
  expect(decimalsOf(price).minDecimals).toBe(decimals);
});

describe('the farthest of the day', () => {
  test.each([
    [{ lastPrice: '95.00', previousClose: '95.00' }, '104.50', '0.1'],
    [{ lastPrice: '95.0001', previousClose: '95.00' }, '104.5000', '0.1'],
    [{ lastPrice: '104.00', previousClose: '99.00', highAndLowLimited: '-0.05' }, '108.90', '0.1'],
    [{ lastPrice: '150.00', previousClose: '70.00', highAndLowLimited: '1.1' }, '150.00', '1.1'],
    [{ lastPrice: '30.00', previousClose: '70.00', highAndLowLimited: '-0.6' }, '77.00', '0.6'],
    [{ lastPrice: '9.00' }, '9.00', '0.1'],
    [{}, '0.00', '0.1'],
  ])('of %j is %s, %s', (quote, price, change) => {
    expect(widestOf(quote)).toEqual({ price, change });
  });
});

test.each([
  { mktTmType: undefined, session: undefined },
  { mktTmType: 0, session: undefined },
  { mktTmType: 1, session: '1' },
  { mktTmType: 4, session: '4' },
  { mktTmType: 5, session: undefined },
])('the session of the market state $mktTmType is $session', ({ mktTmType, session }) => {
  expect(sessionOf({ mktTmType } as QuoteJson)).toBe(session);
});
