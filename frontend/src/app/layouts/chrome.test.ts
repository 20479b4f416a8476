import { describe, expect, it } from 'vitest';
import { chromeOf } from './chrome';

function shown(page: Parameters<typeof chromeOf>[0]): string {
  return Object.entries(chromeOf(page))
    .filter(([, on]) => on)
    .map(([name]) => name)
    .join(' ');
}

const ALL = 'header footer customerService backToTop';

describe('chromeOf', () => {
  it.each([
    ['home', 'pc', '', 'header footer'],
    ['default', 'pc', '', ALL],
    ['app', 'mobile', '', ALL],
    ['college', 'pc', '', ALL],
    ['college', 'pc', '?from=admin', ''],
    ['college', 'mobile', '?ref=share', ''],
    ['college', 'pc', '?from=home', ALL],
    ['default', 'pc', '?from=admin', ALL],
    ['custom', 'pc', '', 'header customerService backToTop'],
    ['support', 'mobile', '', ALL],
    ['doc', 'pc', '', ''],
    ['unknown', 'pc', '', ALL],
    ['home', 'app', '', ''],
    ['default', 'app', '', ''],
    ['app', 'app', '', 'appFooter'],
    ['college', 'app', '?from=admin', ''],
    ['custom', 'app', '', ''],
    ['support', 'app', '', ''],
    ['doc', 'app', '', ''],
  ] as const)('%s on %s with %j shows %j', (layout, platform, search, parts) => {
    expect(shown({ layout, platform, url: `/en-us/x${search}` })).toBe(parts);
  });
});
