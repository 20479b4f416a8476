// @vitest-environment node
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SEEDS = '../services/activity/seed';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

interface Document {
  campaign?: { id: string };
  info?: object;
  rules?: object;
  gccRules?: object;
}

/** Every text at or below a value, with its field name. */
function textsOf(value: unknown, name = ''): { name: string; text: string }[] {
  if (typeof value === 'string') return [{ name, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(part, key));
}

/** A pattern of a seed's text, in which the service inserts amounts. */
function pattern(text: string): RegExp {
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\\\{\w+\\\}/g, '[\\d,.:]+(?: صباحًا| مساءً)?')}$`);
}

interface Payload {
  visitor: { locale: 'en-us' | 'ar-sa' };
  document: Document;
}

const payloadOf = (file: string) => read(file) as Payload;

/** Fields with campaign texts; country names are not among them. */
const TEXTS = ['title', 'subtitle', 'summary', 'stateText', 'text', 'description'];

const FIXTURES = globSync('fixtures/activity-*.json')
  .sort()
  .filter((file) => payloadOf(file).document.campaign);

test.each(FIXTURES)('%s has the texts of its campaign as the service has them', (file) => {
  const { visitor, document } = payloadOf(file);
  const { campaign, info, rules, gccRules } = document;
  const language = visitor.locale === 'ar-sa' ? 'sa' : 'en';
  const known = textsOf(read(`${SEEDS}/${campaign?.id}.json`))
    .filter(({ name }) => name === language)
    .map(({ text }) => pattern(text));
  const shown = textsOf({ campaign, info, rules, gccRules }).filter(({ name }) =>
    TEXTS.includes(name),
  );
  expect(shown.length).toBeGreaterThan(10);
  const former = shown.filter(({ text }) => !known.some((one) => one.test(text)));
  expect(former).toEqual([]);
});
