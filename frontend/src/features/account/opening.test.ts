import { describe, expect, test } from 'vitest';
import { actionOf, myAccountHref, openingHref } from './opening';

test.each([
  [-1, 'signUp'],
  [0, 'openAccount'],
  [1, 'openAccount'],
  [5, 'modifyAccountInfo'],
  [2, 'reviewAccount'],
  [3, 'reviewAccount'],
  ['download', 'download'],
  [4, 'download'],
  [9, 'download'],
] as const)('status %s is %s', (status, action) => {
  expect(actionOf(status)).toBe(action);
});

const OPEN = 'sceneFrom=SahmWebsite_openAccount&lang=en-US';

describe('openingHref', () => {
  test.each([
    [{}, 'openAccount', 'saudi', `/en-us/download?${OPEN}`],
    [{ AC_OPEN: '{token}?_app_fullScreen=y' }, 'openAccount', 'saudi', `/en-us/download?${OPEN}`],
    [
      { AC_OPEN: '/a/{token}?_app_fullScreen=y' },
      'openAccount',
      'saudi',
      `/en-us/download?${OPEN}`,
    ],
    [
      { AC_OPEN: 'https://open.example/a' },
      'openAccount',
      'saudi',
      `https://open.example/a?${OPEN}`,
    ],
    [
      { AC_OPEN: 'https://open.example/a?x=1#s' },
      'reviewAccount',
      'saudi',
      `https://open.example/a?x=1&${OPEN}#s`,
    ],
    [{ AC_OPEN: 'https://open.example/a' }, 'download', 'saudi', `/en-us/download?${OPEN}`],
    [{ AC_OPEN_US: '/' }, 'openAccount', 'us', `/en-us/download?${OPEN}`],
    [{ AC_OPEN_US: 'https://us.example/' }, 'openAccount', 'us', `https://us.example/?${OPEN}`],
    [{ AC_OPEN: 'javascript:alert(1)' }, 'openAccount', 'saudi', `/en-us/download?${OPEN}`],
    [{ AC_OPEN: '//evil.example' }, 'openAccount', 'saudi', `/en-us/download?${OPEN}`],
  ] as const)('%j for %s, %s is %s', (addresses, action, market, href) => {
    expect(openingHref('en-us', addresses, action, market)).toBe(href);
  });
});

test.each([
  [{}, '/ar-sa/download?sceneFrom=SahmWebsite_myAccount&lang=ar-SA'],
  [
    { MORE_ACCOUNT: 'https://my.example/home' },
    'https://my.example/home?sceneFrom=SahmWebsite_myAccount&lang=ar-SA',
  ],
])('my account with %j is %s', (addresses, href) => {
  expect(myAccountHref('ar-sa', addresses)).toBe(href);
});
