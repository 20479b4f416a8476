import { describe, expect, test } from 'vitest';
import { currentAt, hrefIn, isSitePath, languageHref, sitePathOf, withoutLocale } from './paths';

describe('hrefIn', () => {
  test.each([
    ['/', '/ar-sa'],
    ['/?from=app', '/ar-sa?from=app'],
    ['/#top', '/ar-sa#top'],
    ['/news', '/ar-sa/news'],
    ['/news?tab=2#x', '/ar-sa/news?tab=2#x'],
    ['/ar-sa/news', '/ar-sa/news'],
    ['/en-us', '/en-us'],
    ['/en-usual', '/ar-sa/en-usual'],
    ['https://example.com/a', 'https://example.com/a'],
    ['//example.com', '//example.com'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['tel:+966', 'tel:+966'],
    ['#main', '#main'],
    ['', ''],
    ['/feature/college', '/feature/college?lang=ar-SA'],
    ['/feature/college?cursor=a#x', '/feature/college?cursor=a&lang=ar-SA#x'],
    ['/activitiesr/x?lang=en-US&a=1#b?c', '/activitiesr/x?lang=ar-SA&a=1#b?c'],
  ])('%s is %s', (to, expected) => {
    expect(hrefIn('ar-sa', to)).toBe(expected);
  });
});

test.each([
  ['/', true],
  ['/news', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['https://a', false],
  ['#a', false],
])('%s is a site path: %s', (to, expected) => {
  expect(isSitePath(to)).toBe(expected);
});

test.each([
  ['/ar-sa', '/'],
  ['/ar-sa/news', '/news'],
  ['/news', '/news'],
  ['/', '/'],
])('%s without locale is %s', (path, expected) => {
  expect(withoutLocale(path)).toBe(expected);
});

test.each([
  ['/ar-sa/news', '/news'],
  ['/no-such-page', '/no-such-page'],
  ['/activitiesr/x', '/activitiesr/x'],
  ['//evil.example', ''],
  ['/en-us//evil.example', ''],
  ['', ''],
])('the path of %s in a link is %s', (pathname, expected) => {
  expect(sitePathOf(pathname)).toBe(expected);
});

describe('languageHref', () => {
  test.each([
    ['/news', '', '', '/en-us/news'],
    ['/', '', '', '/en-us'],
    ['', '', '', '/en-us'],
    ['/news', '?tab=2&lang=ar&_lang=x&q=a%20b', '#part', '/en-us/news?tab=2&q=a%20b#part'],
    ['/news', '?lang', '', '/en-us/news'],
    ['/news', '?language=1', '', '/en-us/news?language=1'],
    ['/feature/college', '?lang=ar-SA&x=1', '#a', '/feature/college?lang=en-US&x=1#a'],
    ['/activitiesr/x', '?_scnl=7&lang=ar-SA', '', '/activitiesr/x?_scnl=7&lang=en-US'],
    ['/feature/college/course/list', '', '', '/feature/college/course/list?lang=en-US'],
    ['/features', '?lang=ar', '', '/en-us/features'],
  ])('%s%s%s', (path, search, hash, expected) => {
    expect(languageHref('en-us', path, search, hash)).toBe(expected);
  });
});

describe('currentAt', () => {
  test.each([
    ['/news', '/news', 'page'],
    ['/news', '/en-us/news?tab=2#x', 'page'],
    ['/news/us', '/news', 'true'],
    ['/company-news/detail/x', '/company-news/list', 'true'],
    ['/company-newsroom', '/company-news/list', undefined],
    ['/activity/pre-activity-new', '/activity/seed?theme=0', 'true'],
    ['/newsroom', '/news', undefined],
    ['/news', '/news/us', undefined],
    ['/', '/', 'page'],
    ['/news', '/', undefined],
    ['', '/', undefined],
  ] as const)('on %s a link to %s is %s', (current, to, expected) => {
    expect(currentAt(current, to)).toBe(expected);
  });
});
