import { expect, test } from 'vitest';
import { withContents } from './Contents';

test.each([
  ['<p>Nothing</p>', '<p>Nothing</p>', []],
  [
    '<h2>1. Scope</h2><p>a</p><h2 dir="rtl">2. Risk &amp; cost</h2>',
    '<h2 id="part-1">1. Scope</h2><p>a</p><h2 id="part-2" dir="rtl">2. Risk &amp; cost</h2>',
    [
      { id: 'part-1', html: '1. Scope' },
      { id: 'part-2', html: '2. Risk &amp; cost' },
    ],
  ],
  [
    '<h2>See <a href="/en-us/pricing">fees</a></h2>',
    '<h2 id="part-1">See <a href="/en-us/pricing">fees</a></h2>',
    [{ id: 'part-1', html: 'See fees' }],
  ],
  ['<h3>Not a main one</h3>', '<h3>Not a main one</h3>', []],
  ['', '', []],
])('%s', (body, html, entries) => {
  expect(withContents(body)).toEqual({ html, entries });
});
