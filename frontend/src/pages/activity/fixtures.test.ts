// @vitest-environment node
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const SEEDS = '../services/activity/seed';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

interface Document {
  campaign?: { id: string };
  info?: object;
  rules?: object;
  gccRules?: object;
}

/** Every text at or below a value, by the name that it has there. */
function textsOf(value: unknown, name = ''): { name: string; text: string }[] {
  if (typeof value === 'string') return [{ name, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(part, key));
}

/** What a seed's text becomes: its figures are put in by the service. */
function pattern(text: string): RegExp {
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\\\{\w+\\\}/g, '[\\d,.:]+')}$`);
}

const documentOf = (file: string) => (read(file) as { document: Document }).document;

const FIXTURES = globSync('fixtures/activity-*.json')
  .sort()
  .filter((file) => documentOf(file).campaign);

describe.each(FIXTURES)('%s', (file) => {
  const { campaign, info, rules, gccRules } = documentOf(file);
  // Countries' names are not the campaign's own.
  const seeds = textsOf(read(`${SEEDS}/${campaign?.id}.json`));

  test.each([
    ['En', 'en'],
    ['Sa', 'sa'],
  ])('has the texts of its campaign as the service has them (%s)', (suffix, language) => {
    const known = seeds.filter(({ name }) => name === language).map(({ text }) => pattern(text));
    const shown = textsOf({ campaign, info, rules, gccRules }).filter(
      ({ name }) => name.endsWith(suffix) && !name.startsWith('name'),
    );
    expect(shown.length).toBeGreaterThan(10);
    const former = shown.filter(({ text }) => !known.some((one) => one.test(text)));
    expect(former).toEqual([]);
  });
});
