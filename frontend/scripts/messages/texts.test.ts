import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keepTogether } from '../../src/lib/format/no-break.ts';

/** A text that visitors read, with its location. */
interface Text {
  where: string;
  text: string;
}

const SEEDS = '../services';
const read = (file: string) => readFileSync(file, 'utf8');

/** Front matter that readers do not see: search terms, addresses, times. */
const NO_TEXT = /^( {2}- "|(slug|kind|locale|image|stocks|market|level|\w+At|\w*[iI]d): )/;

/** A line of front matter with its escapes decoded. */
const unescaped = (line: string) =>
  line.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** All strings in a value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

const ARABIC = /\p{Script=Arabic}/u;

function textsOf(locale: 'en-us' | 'ar-sa'): Text[] {
  const catalogues = globSync(`messages/${locale}/*.json`).flatMap((file) =>
    Object.entries<string>(JSON.parse(read(file))).map(([key, text]) => ({
      where: `${file} ${key}`,
      text,
    })),
  );
  const documents = globSync(`${SEEDS}/content/seed/**/*.${locale}.md`).flatMap((file) =>
    read(file)
      .split('\n')
      .map((text, index) => ({ where: `${file}:${index + 1}`, text: unescaped(text) }))
      .filter(({ text }) => !NO_TEXT.test(text)),
  );
  const records = [
    ...globSync(`${SEEDS}/content/seed/**/*.jsonl`),
    ...globSync(`${SEEDS}/activity/seed/*.json`),
    `${SEEDS}/config/seed/menu.json`,
    `${SEEDS}/quotes/seed/announcements.jsonl`,
  ]
    .filter((file) => !/synonyms|stocks/.test(file))
    .flatMap((file) => {
      const values = file.endsWith('l') ? read(file).trim().split('\n') : [read(file)];
      return values
        .flatMap((value) => stringsOf(JSON.parse(value)))
        .filter((text) => ARABIC.test(text) === (locale === 'ar-sa'))
        .map((text) => ({ where: file, text }));
    });
  return [...catalogues, ...documents, ...records];
}

const ENGLISH = textsOf('en-us');
const ARABIC_TEXTS = textsOf('ar-sa');

test('there are many texts', () => {
  expect(ENGLISH.length).toBeGreaterThan(3000);
  expect(ARABIC_TEXTS.length).toBeGreaterThan(3000);
});

function expectNone(texts: Text[], isWrong: (text: string) => boolean) {
  expect(texts.filter(({ text }) => isWrong(text))).toEqual([]);
}

test.each([
  /\bwhoever\b/i,
  /\b(comes? about|afresh|thereby|dearer)\b/i,
  /\bset day\b/i,
  /\bhighest leverage\b/i,
  /\bas soon as they are set\b/i,
  /\bMust deliver\b(?! the shares)/,
  /\bUSD \d/,
  /\b(complaints? (is |are )?closed|close (a |the )?complaints?)\b/i,
  // British spelling, and dates without a comma.
  / (centers?|colored|labor|toward|recognized|authorized|organization)\b/i,
  /day, \d{1,2} (January|March|April|August|September|October|November|December)/,
  /\b(January|March|April|August|September|October|November|December) \d{1,2}, \d{4}/,
  // Hours have two digits: 09:30.
  /(?<![\d:.])\d:[0-5]\d(?![\d:])/,
])('English texts have no %s', (former) => {
  expectNone(ENGLISH, (text) => former.test(text));
});

/** Matches only whole words. */
const word = (forms: string) =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${forms})(?![\\p{L}\\p{M}])`, 'u');

test.each([
  'عن سهم|كيف أتواصل مع سهم|لدى سهم|التعلّم في سهم',
  'رقم سهم|معرّف سهم',
  'الجهة المنظ(?:ِّ)?مة|ترخيص الهيئة|موقع الهيئة',
  'مذكر(?:ة|ات) الاكتتاب|دفتر أوامر',
  'النسبة السنوية|أعلى رافعة',
  'المتبقي لك|قائمتي|غرفة أخبار',
  'إشارة محفوظة|إغلاق دخولك|بدخول متعدد',
  'ميغابايت|كمبيوتر|آبل',
  'نص نموذجي|أسعار محاكاة|أخبار عاجلة|تابع القراءة',
  'فجرًا',
  // The afternoon has its own word from 3:00 to 4:59.
  String.raw`(?<!\d)[34]:\d\d(?:\s|\\u00a0)مساءً|(?:1\d|[5-9]):\d\d(?:\s|\\u00a0)عصرًا`,
  'تُغلق الشكاوى|نغلق (?:الشكاوى|الشكوى|شكواك)|سياسة الخصوصية',
  '(?:ي|ت|ن)كلف',
])('Arabic texts have no %s', (forms) => {
  expectNone(ARABIC_TEXTS, (text) => word(forms).test(text));
});

test('titles and summaries keep figures together with their units', () => {
  const shown = [...ENGLISH, ...ARABIC_TEXTS].filter(
    ({ where, text }) => where.endsWith('.jsonl') || /^(title|summary): /.test(text),
  );
  expect(shown.length).toBeGreaterThan(800);
  expectNone(
    shown.filter(({ where }) => !where.endsWith('seo.jsonl')),
    (text) => keepTogether(text) !== text || /\d{5}-\d{2}/.test(text),
  );
});

test('English texts have curly quotation marks and apostrophes', () => {
  const prose = ENGLISH.map(({ where, text }) => ({
    where,
    text: text
      .replace(/^(\w+): "(.*)"$/, '$2')
      .replace(/^!\[.*\)$|\]\([^)]*\)|<[^>]*>|`[^`]*`/g, ''),
  }));
  expectNone(prose, (text) => /['"]/.test(text));
});

test('Arabic texts have a 12-hour clock', () => {
  expectNone(ARABIC_TEXTS, (text) => /(?<![\d:])(1[3-9]|2[0-4]|00):[0-5]\d(?![\d:])/.test(text));
});

/**
 * Whether a noun has the wrong form after a number in digits; after decimals the form does not
 * change.
 */
function wrongNoun(text: string): boolean {
  const counted =
    /(?<![\d.,–])(\d[\d,]*)(\.\d+)?\**\s(ريالات|ريالًا|ريال|دولارات|دولارًا|دولار)(?![\p{L}\p{M}])/gu;
  for (const [, whole = '', decimals, noun = ''] of text.matchAll(counted)) {
    const last = Number(whole.replaceAll(',', '')) % 100;
    const form = noun.endsWith('ات') ? 'plural' : noun.endsWith('ًا') ? 'accusative' : 'singular';
    const needed =
      decimals !== undefined || last < 3 ? 'singular' : last <= 10 ? 'plural' : 'accusative';
    if (form !== needed) return true;
  }
  return false;
}

test.each([
  ['13.13 ريال', false],
  ['20.10 ريالًا', true],
  ['3.00 دولارات', true],
  ['3 ريالات', false],
  ['50 دولار', true],
  ['50 دولارًا', false],
  ['18,888 ريالًا', false],
  ['1,000 ريال', false],
])('the noun of %s is wrong: %s', (text, expected) => {
  expect(wrongNoun(text)).toBe(expected);
});

test('Arabic nouns agree with their numbers', () => {
  expectNone(ARABIC_TEXTS, wrongNoun);
});

const ASKS =
  /^(?:كيف|لماذا|متى|أين|كم|هل|ماذا|بمَ|ممّ|علامَ|ما الذي|ما معنى|ما السهم)(?![\p{L}\p{M}])/u;

test('Arabic headings that ask have a question mark', () => {
  const headings = ARABIC_TEXTS.flatMap(({ where, text }) => {
    const heading = /^(?:#+ |title: ")([^"]+)"?$/.exec(text)?.[1];
    return heading === undefined ? [] : [{ where, text: heading }];
  });
  expect(headings.length).toBeGreaterThan(400);
  expectNone(headings, (text) => ASKS.test(text) && !text.includes('؟'));
});

test.each(['en-us', 'ar-sa'] as const)('help in %s quotes labels as they are shown', (locale) => {
  const known = new Set<string>();
  for (const file of globSync(`messages/${locale}/*.json`)) {
    for (const text of stringsOf(JSON.parse(read(file)))) {
      known.add(text);
      for (const [, label = ''] of text.matchAll(/[“«]([^”»{]+)[”»]/g)) known.add(label);
    }
  }
  for (const text of stringsOf(JSON.parse(read(`${SEEDS}/config/seed/menu.json`)))) known.add(text);
  for (const file of [
    '../gateway/src/api/messages.rs',
    ...globSync(`${SEEDS}/activity/src/domain/*.rs`),
  ]) {
    for (const [, text = ''] of read(file).matchAll(/"([^"\n]+)"/g)) known.add(text);
  }
  const quotes =
    locale === 'ar-sa' ? /«([^»]+)»/g : /(?<!\*)\*([A-Z][^*]+)\*(?!\*)|["“]([A-Z][^"”]+)["”]/g;
  const quoted = globSync(`${SEEDS}/content/seed/help/documents/*.${locale}.md`).flatMap((file) => {
    const body = read(file).split('\n---\n').slice(1).join('\n');
    return [...body.matchAll(quotes)].map(([, one, other]) => ({
      where: file,
      text: one ?? other ?? '',
    }));
  });
  expect(quoted.length).toBeGreaterThan(25);
  expectNone(quoted, (text) => !known.has(text));
});
