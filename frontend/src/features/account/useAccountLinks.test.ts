import { describe, expect, it } from 'vitest';
import { loginHref } from './useAccountLinks';

describe('loginHref', () => {
  it.each([
    ['en-us', '/', '', '', '/en-us'],
    ['ar-sa', '/news', '', '', '/ar-sa/news'],
    ['en-us', '/news', '?tab=2&_scnl=7', '#more', '/en-us/news?tab=2#more'],
    ['en-us', '/news', '?_scnl', '', '/en-us/news'],
    ['en-us', '/news', '?a_scnl=1', '', '/en-us/news?a_scnl=1'],
    ['ar-sa', '', '', '', '/ar-sa'],
    ['en-us', '/', '?x=1', '#a', '/en-us?x=1#a'],
    [
      'ar-sa',
      '/activitiesr/pre-activity-new',
      '?_scnl=7&lang=ar-SA&activityId=6666',
      '#join',
      '/activitiesr/pre-activity-new?lang=ar-SA&activityId=6666#join',
    ],
    ['en-us', '/feature/college', '', '', '/feature/college?lang=en-US'],
  ] as const)('%s %s%s%s comes back to %s', (locale, path, search, hash, target) => {
    const address = new URL(
      loginHref(locale, 'SahmWebsite_login', path, search, hash),
      'https://x',
    );
    expect(address.pathname).toBe(`/${locale}/login`);
    expect(address.searchParams.get('target')).toBe(target);
    expect(address.searchParams.get('lang')).toBe(locale === 'ar-sa' ? 'ar-SA' : 'en-US');
    expect(address.searchParams.get('sceneFrom')).toBe('SahmWebsite_login');
  });
});
