import { globSync, readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { inFrontend } from '../build/paths.ts';
import { Catalogues } from './catalogues.ts';

const catalogues = new Catalogues(inFrontend('messages'));

/** The values that each message takes, by `namespace:key`. */
const taken = new Map<string, Set<string>>();
for (const namespace of catalogues.namespaces) {
  for (const [key, text] of Object.entries(catalogues.texts('en-us', namespace))) {
    taken.set(`${namespace}:${key}`, namesIn(parse(text, { ignoreTag: true })));
  }
}

function namesIn(elements: MessageFormatElement[], names = new Set<string>()): Set<string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    names.add(element.value);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    for (const option of Object.values(element.options)) namesIn(option.value, names);
  }
  return names;
}

/** A node of the syntax tree, read by what it has. */
interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function walk(node: Node, visit: (node: Node) => void) {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) walk(child, visit);
  }
}

/** A text as a pattern that matches it alone. */
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The keys that an expression can be, as patterns. */
function keysOf(expression: Node): string[] {
  switch (expression.type) {
    case 'Literal':
      return [literally(String(expression.value))];
    case 'TemplateLiteral':
      return [
        (expression.quasis as { value: { cooked: string } }[])
          .map(({ value }) => literally(value.cooked))
          .join('.+'),
      ];
    case 'ConditionalExpression':
      return [expression.consequent, expression.alternate].flatMap((side) => keysOf(side as Node));
    default:
      return [];
  }
}

/** The names of an object's fields; nothing where they cannot be read from the source. */
function fieldsOf(values: Node | undefined): string[] | undefined {
  if (!values) return [];
  if (values.type !== 'ObjectExpression') return undefined;
  const fields = values.properties as Node[];
  if (fields.some(({ type }) => type !== 'Property')) return undefined;
  return fields.map(({ key }) => String((key as Node).name ?? (key as Node).value));
}

/** What is wrong with a file's calls of translators, and which messages they name. */
function callsOf(code: string): { problems: string[]; named: Set<string> } {
  const tree = parseAst(code, { lang: 'tsx' }) as unknown as Node;
  const namespaces = new Map<string, Set<string>>();
  walk(tree, ({ type, id, init }) => {
    if (type !== 'VariableDeclarator' || !isNode(init) || init.type !== 'CallExpression') return;
    if (!['useMessages', 'translator'].includes(String((init.callee as Node).name))) return;
    const namespace = (init.arguments as Node[]).at(-1)?.value;
    const name = String((id as Node).name);
    namespaces.set(name, (namespaces.get(name) ?? new Set()).add(String(namespace)));
  });
  const problems: string[] = [];
  const named = new Set<string>();
  walk(tree, (node) => {
    if (node.type !== 'CallExpression') return;
    const callee = node.callee as Node;
    const isRich = callee.type === 'MemberExpression' && (callee.property as Node).name === 'rich';
    const { name } = (isRich ? callee.object : callee) as Node;
    const [key, values] = node.arguments as Node[];
    const fields = fieldsOf(values);
    if (!key || !namespaces.has(String(name))) return;
    for (const namespace of namespaces.get(String(name)) ?? []) {
      for (const pattern of keysOf(key)) {
        const whole = new RegExp(`^${literally(namespace)}:${pattern}$`);
        const matching = [...taken].filter(([message]) => whole.test(message));
        for (const [message] of matching) named.add(message);
        const [first, ...others] = matching.map(([, needed]) => needed);
        // A pattern may be wider than what the code gives: a value counts that all messages take.
        const missing = [...(first ?? [])].filter(
          (one) => fields?.includes(one) === false && others.every((needed) => needed.has(one)),
        );
        if (missing.length > 0)
          problems.push(`${namespace}:${pattern} lacks ${missing.join(', ')}`);
      }
    }
  });
  return { problems, named };
}

test('a call without a value that its message takes is found', () => {
  const code = (call: string) => `const t = useMessages('login'); ${call}`;
  expect(callsOf(code("t('phone.digits')")).problems).toEqual([
    'login:phone\\.digits lacks digits',
  ]);
  expect(callsOf(code("t('phone.digits', { digit: 9 })")).problems).toHaveLength(1);
  expect(callsOf(code("t('phone.digits', { digits: 9 })")).problems).toEqual([]);
  expect(callsOf(code("t.rich('agreement', { agreement: <a /> })")).problems).toEqual([
    'login:agreement lacks policy',
  ]);
});

test('every call gives the values that its message takes', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: inFrontend('.') });
  const calls = files
    .filter((file) => !/\.(?:test|d)\.tsx?$/.test(file))
    .map((file) => ({ file, ...callsOf(readFileSync(inFrontend(file), 'utf8')) }));
  const named = new Set(calls.flatMap((one) => [...one.named]));
  expect(calls.flatMap(({ file, problems }) => problems.map((one) => `${file}: ${one}`))).toEqual(
    [],
  );
  // So much of the catalogues is seen that the test cannot lose sight of them unnoticed.
  expect(named.size).toBeGreaterThan(taken.size / 2);
});
