import { describe, expect, it } from 'vitest';
import { partsOf } from './layout-parts';

const ALL_PARTS = 'header footer customerService backToTop';

describe('partsOf', () => {
  it.each([
    ['home', 'pc', '', 'header footer'],
    ['default', 'pc', '', ALL_PARTS],
    ['app', 'mobile', '', ALL_PARTS],
    ['college', 'pc', '', ALL_PARTS],
    ['college', 'pc', '?from=admin', ''],
    ['college', 'mobile', '?ref=share', ''],
    ['college', 'pc', '?from=home', ALL_PARTS],
    ['default', 'pc', '?from=admin', ALL_PARTS],
    ['custom', 'pc', '', 'header customerService backToTop'],
    ['support', 'mobile', '', ALL_PARTS],
    ['doc', 'pc', '', ''],
    ['unknown', 'pc', '', ALL_PARTS],
    ['home', 'app', '', ''],
    ['default', 'app', '', ''],
    ['app', 'app', '', 'appFooter'],
    ['college', 'app', '?from=admin', ''],
    ['custom', 'app', '', ''],
    ['support', 'app', '', ''],
    ['doc', 'app', '', ''],
  ] as const)('%s on %s with %j shows %j', (layout, platform, search, parts) => {
    expect(partsOf({ layout, platform, url: `/en-us/x${search}` }).join(' ')).toBe(parts);
  });
});
