/**
 * Updates `fixtures/` with the page data that the loaders of a site with the samples return, every
 * page in each of its states and languages: `deploy/with-site.sh all-in-one npm --prefix frontend
 * run fixtures`. `-- --check` fails if they differ from the saved fixtures. Times and prices keep
 * their saved values (`fixtures/reproducible.ts`); delete a fixture to save new ones.
 */
import { isDeepStrictEqual } from 'node:util';
import { sessionOf } from '../e2e/member.ts';
import { address, LOCALE_IDS, origin, TARGETS, urlOf } from '../e2e/site.ts';
import type { Locale } from '../src/lib/locale.ts';
import type { PagePayload } from '../src/lib/page/payload.ts';
import { payloadIn } from './dev/document.ts';
import { reproducible } from './fixtures/reproducible.ts';
import { DERIVED_STATES, SAMPLED_STATES } from './fixtures/states.ts';
import {
  fixtureNames,
  readFixture,
  removeFixture,
  writeFixture,
  writeLayoutData,
} from './fixtures/store.ts';
import { differences } from './layout/differences.ts';

/** Replaces the address of the site. */
const PUBLIC_URL = 'https://sahm.example';
const MAX_REPORTED_FIXTURES = 10;
const MAX_REPORTED_LINES = 4;

/** Payloads by fixture name; names end with the locale only in maps of both languages. */
type Payloads = Map<string, PagePayload>;

const saved = new Map(fixtureNames().map((name) => [name, readFixture(name)]));

async function load(
  url: string,
  previous: PagePayload | undefined,
  account?: string,
): Promise<PagePayload> {
  const response = await fetch(
    url,
    account ? { headers: { cookie: await sessionOf(account) } } : {},
  );
  const html = (await response.text()).replaceAll(origin(), PUBLIC_URL);
  const payload = payloadIn(html);
  if (!payload) throw new Error(`${url} is no page: ${response.status}`);
  const document = reproducible(payload.document, previous?.document) as PagePayload['document'];
  return { ...payload, build: 'fixtures', document };
}

/** The payloads of all fixtures of a language that the site returns. */
async function loadAll(locale: Locale): Promise<Payloads> {
  const payloads: Payloads = new Map();
  const add = async (name: string, url: string, account?: string) =>
    payloads.set(name, await load(url, saved.get(`${name}.${locale}`), account));
  for (const target of TARGETS) {
    const { page, name } = target;
    await add(payloads.has(page) ? `${page}.${name}` : page, await urlOf(locale, target));
  }
  for (const { name, path, account } of SAMPLED_STATES) {
    await add(name, address(locale, path), account);
  }
  return payloads;
}

function derive(payloads: Payloads, others: Payloads) {
  for (const { name, base, change } of DERIVED_STATES) {
    const [payload, other] = [payloads.get(base), others.get(base)];
    if (!(payload && other)) throw new Error(`${name} derives from ${base}, which is no fixture`);
    const copy = structuredClone(payload);
    change(copy, other);
    payloads.set(name, copy);
  }
}

async function main() {
  const byLocale = { 'en-us': await loadAll('en-us'), 'ar-sa': await loadAll('ar-sa') };
  derive(byLocale['en-us'], byLocale['ar-sa']);
  derive(byLocale['ar-sa'], byLocale['en-us']);
  const fresh: Payloads = new Map(
    LOCALE_IDS.flatMap((locale) =>
      [...byLocale[locale]].map(([name, payload]) => [`${name}.${locale}`, payload] as const),
    ),
  );
  const changed = [...new Set([...saved.keys(), ...fresh.keys()])]
    .filter((name) => !isDeepStrictEqual(saved.get(name), fresh.get(name)))
    .sort();
  if (process.argv.includes('--check')) report(changed, fresh);
  else save(changed, fresh);
}

function save(changed: readonly string[], fresh: Payloads) {
  for (const locale of LOCALE_IDS) {
    writeLayoutData(locale, layoutDataOf(fresh, locale));
  }
  for (const name of changed) {
    const payload = fresh.get(name);
    if (payload) writeFixture(name, payload, layoutDataOf(fresh, payload.visitor.locale));
    else removeFixture(name);
    console.log(`${payload ? 'saved' : 'removed'} ${name}`);
  }
}

function layoutDataOf(fresh: Payloads, locale: Locale) {
  return fresh.get(`home.${locale}`)?.document.frame?.layoutData ?? {};
}

function report(changed: readonly string[], fresh: Payloads) {
  if (changed.length === 0) return;
  const linesOf = (payload: PagePayload | undefined) =>
    payload ? JSON.stringify(payload, null, 2).split('\n') : [];
  for (const name of changed.slice(0, MAX_REPORTED_FIXTURES)) {
    const lines = differences(linesOf(saved.get(name)), linesOf(fresh.get(name)));
    console.error([name, ...lines.slice(0, MAX_REPORTED_LINES)].join('\n'));
  }
  console.error(
    `${changed.length} fixtures differ from what the loaders return. deploy/with-site.sh all-in-one npm --prefix frontend run fixtures saves them; review the difference.`,
  );
  process.exitCode = 1;
}

await main();
