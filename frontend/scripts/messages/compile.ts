import {
  type MessageFormatElement,
  type PluralElement,
  parse,
  type SelectElement,
  TYPE,
} from '@formatjs/icu-messageformat-parser';

/** Source of an expression for one ICU message: its text, or a function `(v, f) => text`. */
export function compileMessage(message: string): string {
  const elements = parse(message, { ignoreTag: true, captureLocation: false });
  if (elements.every((element) => element.type === TYPE.literal)) {
    return literal(elements.map((element) => element.value).join(''));
  }
  return `(v,f)=>${concatenation(elements, undefined)}`;
}

function concatenation(elements: MessageFormatElement[], counted: string | undefined): string {
  if (elements.length === 0) return '""';
  const parts = elements.map((element) => expression(element, counted));
  // A leading string makes every `+` a concatenation.
  return parts[0]?.startsWith('"') || parts.length === 1
    ? parts.join('+')
    : `""+${parts.join('+')}`;
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

/** Source of a text. A left-to-right mark keeps a percent sign of Arabic text after its digits. */
function literal(text: string): string {
  const marked = /\p{Script=Arabic}/u.test(text)
    ? text.replace(/(?<![\d.,])\d[\d.,]*%/g, '\u200e$&')
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

function table(options: Options, key: string, counted: string | undefined): string {
  const rows = options.map(
    ([form, option]) => `${JSON.stringify(form)}:()=>${concatenation(option.value, counted)}`,
  );
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
