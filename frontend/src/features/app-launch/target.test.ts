import { describe, expect, it, test } from 'vitest';
import { launchOf, originOf, readTarget, targetOf } from './target';

const ORIGIN = 'https://www.sahm.example';
const ORIGINS = ['https://sahm.example', 'https://go.example'];

describe('readTarget', () => {
  it.each([
    ['sahm://quotes/2222', 'sahm://quotes/2222'],
    ['sahm:quotes', undefined],
    ['/en-us/news/content/55?a=b#c', `${ORIGIN}/en-us/news/content/55?a=b#c`],
    [`${ORIGIN}/news`, `${ORIGIN}/news`],
    ['https://sahm.example/get', 'https://sahm.example/get'],
    ['https://app.go.example/x', 'https://app.go.example/x'],
    ['https://evil.example/x', undefined],
    ['http://go.example/x', undefined],
    ['https://user:secret@go.example/x', undefined],
    [`https://user@${new URL(ORIGIN).host}/x`, undefined],
    ['//evil.example/x', undefined],
    ['/\\evil.example', undefined],
    ['/.//evil.example', undefined],
    [`${ORIGIN}//evil.example`, undefined],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['intent://x#Intent;end', undefined],
    ['sahm://a b', undefined],
    ['news', undefined],
    ['', undefined],
    [null, undefined],
    [`/${'a'.repeat(2_048)}`, undefined],
  ])('%s is %s', (value, expected) => {
    expect(readTarget(value, ORIGIN, ORIGINS)).toBe(expected);
  });
});

test.each([
  ['?link=sahm%3A%2F%2Fa', 'sahm://a'],
  ['?target=%2Fnews', `${ORIGIN}/news`],
  ['?link=javascript:x&target=/news', `${ORIGIN}/news`],
  ['?other=/news', undefined],
  ['', undefined],
])('query %s names %s', (search, expected) => {
  expect(targetOf(search, ORIGIN, ORIGINS)).toBe(expected);
});

describe('launchOf', () => {
  const news = `${ORIGIN}/news`;
  const encoded = encodeURIComponent(news);
  it.each([
    ['android', undefined, 'https://sahm.example/get', 'scheme', 'sahm://open'],
    ['android', news, 'https://sahm.example/get', 'scheme', `sahm://open?link=${encoded}`],
    ['huawei', 'sahm://quotes', '', 'scheme', 'sahm://quotes'],
    ['ios', undefined, 'https://sahm.example/get', 'link', 'https://sahm.example/get'],
    ['ios', news, 'https://sahm.example/get', 'link', `https://sahm.example/get?link=${encoded}`],
    ['ios', 'sahm://quotes', 'https://sahm.example/get', 'scheme', 'sahm://quotes'],
    ['ios', news, '', 'scheme', `sahm://open?link=${encoded}`],
  ])('%s with %s by %s', (device, target, oneLink, by, url) => {
    expect(launchOf(device, target, oneLink)).toEqual({ by, url });
  });
});

test.each([
  ['https://sahm.example/get', 'https://sahm.example'],
  ['sahm://open', undefined],
  ['', undefined],
  ['no address', undefined],
])('origin of %s', (link, origin) => {
  expect(originOf(link)).toBe(origin);
});
