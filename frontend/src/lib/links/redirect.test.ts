import { describe, expect, test } from 'vitest';
import { languageHref, sitePathOf } from './paths';
import { resolveRedirect } from './redirect';

const ORIGIN = 'https://www.sahm.example';
const ALLOWED = ['https://go.example', 'http://dev.example'];

describe('resolveRedirect', () => {
  test.each([
    ['/en-us/news?tab=2#x', `${ORIGIN}/en-us/news?tab=2#x`],
    ['/', `${ORIGIN}/`],
    [`${ORIGIN}/ar-sa`, `${ORIGIN}/ar-sa`],
    ['/a/../b', `${ORIGIN}/b`],
    ['https://go.example/x', 'https://go.example/x'],
    ['https://app.go.example:8443/x?y=1#z', 'https://app.go.example:8443/x?y=1#z'],
    ['http://dev.example/x', 'http://dev.example/x'],
    ['https://GO.example', 'https://go.example/'],
    ['//go.example/x', 'https://go.example/x'],
  ])('%s is followed to %s', (parameter, expected) => {
    expect(resolveRedirect(parameter, ORIGIN, ALLOWED)).toBe(expected);
  });

  test.each([
    '/.//evil.example/phish',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/.\\/evil.example',
    '/.\\\\evil.example',
    `${ORIGIN}//evil.example`,
    `${ORIGIN}/./\\evil.example`,
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '\t//evil.example',
    'https://evil.example/',
    'https:evil.example',
    'https://go.example.evil.example/x',
    'https://evilgo.example/x',
    'https://www.sahm.example.evil.example/',
    'https://www.sahm.example@evil.example/',
    `https://user@${new URL(ORIGIN).host}/x`,
    'https://user:secret@go.example/x',
    'http://go.example/x',
    'https://dev.example/x',
    'http://www.sahm.example/x',
    'javascript:alert(1)',
    'data:text/html,x',
    'news',
    'http://[',
    '',
    null,
  ])('%j is dropped', (parameter) => {
    expect(resolveRedirect(parameter, ORIGIN, ALLOWED)).toBeUndefined();
  });
});

/** Fragments of known redirect attacks. */
const PIECES = [
  ['/', '//', '\\', '.', '..', '%2e', '%2f', '%5c', '%00', '\t', '\n', ' ', '@', ':', '?', '#'],
  ['evil.example', 'go.example', 'www.sahm.example', 'https:', 'http:', 'javascript:', ORIGIN],
  ['en-us', 'ar-sa', 'news', 'login', 'feature', 'activitiesr', 'م', '\u3002', '\uff0f'],
].flat();

/** A reproducible sequence of numbers below `bound` (a linear congruential generator). */
function numbers(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const CASES = 5_000;

describe('for generated addresses', () => {
  const below = numbers(16);
  const generated = Array.from({ length: CASES }, () =>
    Array.from({ length: 1 + below(8) }, () => PIECES[below(PIECES.length)]).join(''),
  );

  test('what a redirect parameter gives stays on the allowed hosts, wherever it is resolved', () => {
    let followed = 0;
    for (const parameter of generated) {
      const target = resolveRedirect(parameter, ORIGIN, ALLOWED);
      if (target === undefined) continue;
      followed += 1;
      const { origin, hostname, pathname } = new URL(target, 'https://elsewhere.example');
      if (origin === ORIGIN) expect(pathname, parameter).not.toContain('//');
      else expect(hostname, parameter).toMatch(/(^|\.)go\.example$/);
    }
    expect(followed).toBeGreaterThan(CASES / 100);
  });

  test('the language switch of any path stays on the site', () => {
    for (const text of generated) {
      const { pathname } = new URL(`${ORIGIN}/${text.replace(/^[/\\\t\n]+/, '')}`);
      for (const locale of ['en-us', 'ar-sa'] as const) {
        const href = languageHref(locale, sitePathOf(pathname));
        expect(new URL(href, ORIGIN).origin, text).toBe(ORIGIN);
      }
    }
  });
});
