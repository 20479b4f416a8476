import { HtmlValidate } from 'html-validate/node';
import { TARGETS, urlOf } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

/** Checks the HTML standard, document structure and accessibility, not style. */
const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // The site's files have hashed names and come from this origin.
    'require-sri': ['error', { target: 'crossorigin' }],
    // Search suggestions highlight the matched words, which no native element supports.
    'prefer-native-element': ['error', { exclude: ['listbox'] }],
  },
});

const AGENTS = {
  pc: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150',
  app: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) SahmApp/5.1',
} as const;

/** Errors of a document, one line each. */
async function faults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}

for (const [body, rule] of [
  ['<ul><p>x</p></ul>', 'element-permitted-content'],
  ['<p id="a">x</p><p id="a">y</p>', 'no-dup-id'],
  ['<img src="/x.png">', 'wcag/h37'],
  ['<div><span></div></span>', 'close-order'],
  ['<button type="press">x</button>', 'attribute-allowed-values'],
] as const)
  test(`reports ${body}`, async () => {
    const html = `<!doctype html><html lang="en"><head><title>x</title></head><body>${body}</body></html>`;
    expect((await faults(html)).join('\n')).toContain(`${rule}:`);
  });

for (const [client, agent] of Object.entries(AGENTS))
  test.describe(`as HTML, to ${client}`, EACH_LOCALE, () => {
    for (const target of TARGETS)
      test(`${target.name} is valid`, async ({ locale }) => {
        const answer = await fetch(await urlOf(locale, target), {
          headers: { 'user-agent': agent },
        });
        expect(answer.status).toBe(target.status ?? 200);
        expect(await faults(await answer.text())).toEqual([]);
      });
  });
