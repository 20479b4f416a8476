import { formatDateTime, formatNumber } from '~/lib/format/format';
import { LOCALES, type Locale } from '~/lib/locale';

/** Functions that compiled messages call. */
export interface Formatters {
  /** Inserts a value unchanged. */
  text(value: unknown): string;
  number(value: unknown, options?: Intl.NumberFormatOptions): string;
  /** Epoch seconds. */
  time(value: unknown, options: Intl.DateTimeFormatOptions): string;
  /** Selects a variant; `other` by default. */
  pick(forms: Readonly<Record<string, () => string>>, form: string): string;
  /** The plural category of a number. */
  plural(value: unknown, type?: 'ordinal'): string;
}

const formattersByLocale = new Map<Locale, Formatters>();

export function formattersOf(locale: Locale): Formatters {
  const known = formattersByLocale.get(locale);
  if (known) return known;
  const { intl } = LOCALES[locale];
  // Created on demand: few messages contain plurals.
  const rules = new Map<string, Intl.PluralRules>();
  const rulesOf = (type: 'cardinal' | 'ordinal') => {
    const ruleSet = rules.get(type) ?? new Intl.PluralRules(intl, { type });
    rules.set(type, ruleSet);
    return ruleSet;
  };
  const formatters: Formatters = {
    text: (value) => String(requireArgument(value)),
    number: (value, options) => formatNumber(locale, Number(requireArgument(value)), options),
    time: (value, options) => formatDateTime(locale, Number(requireArgument(value)), options),
    pick: (forms, form) => (forms[form] ?? forms.other)?.() ?? '',
    plural: (value, type) => rulesOf(type ?? 'cardinal').select(Number(requireArgument(value))),
  };
  formattersByLocale.set(locale, formatters);
  return formatters;
}

/**
 * Returns a message argument. A missing one fails tests; in production the message is shown without
 * it.
 */
function requireArgument(value: unknown): unknown {
  if (value !== undefined && value !== null) return value;
  if (!import.meta.env.PROD)
    throw new Error('a message is given no value for a name that it takes');
  return '';
}
