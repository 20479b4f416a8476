import {
  type MessageFormatElement,
  type PluralElement,
  parse,
  type SelectElement,
  TYPE,
} from '@formatjs/icu-messageformat-parser';
import { keepTogether } from '../../src/lib/format/no-break.ts';

/** Source of an expression for one ICU message: its text, or a function `(v, f) => text`. */
export function compileMessage(message: string): string {
  const elements = parse(message, { ignoreTag: true, captureLocation: false });
  if (elements.every((element) => element.type === TYPE.literal)) {
    return literal(elements.map((element) => element.value).join(''));
  }
  return `(v,f)=>${concatenation(elements, undefined)}`;
}

/** Every part is a string, so that `+` joins them. */
function concatenation(elements: MessageFormatElement[], counted: string | undefined): string {
  if (elements.length === 0) return '""';
  return elements.map((element) => expression(element, counted)).join('+');
}

function expression(element: MessageFormatElement, counted: string | undefined): string {
  switch (element.type) {
    case TYPE.literal:
      return literal(element.value);
    case TYPE.argument:
      return `f.text(${value(element.value)})`;
    case TYPE.number: {
      const style = element.style;
      const options =
        style && typeof style === 'object'
          ? JSON.stringify(style.parsedOptions)
          : namedStyle(style);
      return `f.number(${value(element.value)}${options ? `,${options}` : ''})`;
    }
    case TYPE.date:
    case TYPE.time: {
      const style = element.style;
      if (!style || typeof style === 'string') {
        throw new Error(`{${element.value}} needs a date skeleton, for instance ::yMMMMd`);
      }
      return `f.time(${value(element.value)},${JSON.stringify(style.parsedOptions)})`;
    }
    case TYPE.pound:
      return `f.number(${counted})`;
    case TYPE.plural:
      return plural(element);
    case TYPE.select:
      return choice(element, `f.text(${value(element.value)})`, counted);
    case TYPE.tag:
      throw new Error('tags are not supported: use t.rich with values');
  }
}

/** A number with its leading sign or `$` and its trailing unit. */
const NUMBER =
  /(?<![\dA-Za-z.,:/=&?#_@%\u200e])(?:(?<=^|[\s([{«“"'])[+\-−±])?\$?\d(?:[\d.,]*\d)?[%٪‰$]?(?![\dA-Za-z])/gu;

/** Text that would join a left-to-right run before it. */
const JOINS = /^[^\p{L}\p{N}\u200f]*(?:(?!\p{Script=Arabic})\p{L}|\d)/u;

/**
 * Source of a text. In Arabic text, a left-to-right mark keeps signs, `$` and percent signs on the
 * correct side of the number, and a right-to-left mark keeps the following text out of its run (UAX
 * #9). Units stay on the line of their figures.
 */
function literal(source: string): string {
  const text = keepTogether(source);
  const marked = /\p{Script=Arabic}/u.test(text)
    ? text.replace(NUMBER, (number, at: number) => {
        if (/^\d.*\d$|^\d$/.test(number)) return number;
        return `\u200e${number}${JOINS.test(text.slice(at + number.length)) ? '\u200f' : ''}`;
      })
    : text;
  return JSON.stringify(marked);
}

function plural(element: PluralElement): string {
  const number = value(element.value);
  const counted = element.offset ? `(${number}-${element.offset})` : number;
  const type = element.pluralType === 'ordinal' ? ',"ordinal"' : '';
  const exact = Object.entries(element.options).filter(([form]) => form.startsWith('='));
  const forms = Object.entries(element.options).filter(([form]) => !form.startsWith('='));
  const byForm = table(forms, `f.plural(${counted}${type})`, counted);
  return exact.reduceRight(
    (rest, [form, option]) =>
      `(${number}==${Number(form.slice(1))}?${concatenation(option.value, counted)}:${rest})`,
    byForm,
  );
}

function choice(element: SelectElement, key: string, counted: string | undefined): string {
  return table(Object.entries(element.options), key, counted);
}

type Options = [string, { value: MessageFormatElement[] }][];

/** Leaves out forms with the text of `other`, which `pick` uses by default. */
function table(options: Options, key: string, counted: string | undefined): string {
  const texts = new Map(
    options.map(([form, option]) => [form, concatenation(option.value, counted)]),
  );
  const rows = [...texts]
    .filter(([form, text]) => form === 'other' || text !== texts.get('other'))
    .map(([form, text]) => `${JSON.stringify(form)}:()=>${text}`);
  return `f.pick({${rows.join(',')}},${key})`;
}

function namedStyle(style: string | null | undefined): string {
  if (!style) return '';
  if (style === 'percent') return '{"style":"percent"}';
  if (style === 'integer') return '{"maximumFractionDigits":0}';
  throw new Error(`number style ${style} is not supported: use a skeleton`);
}

function value(name: string): string {
  return `v[${JSON.stringify(name)}]`;
}
