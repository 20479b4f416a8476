/** Whether a property's value is valid. */
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.trim() !== '';
const isAddress: Check = (value) =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
const isLanguage: Check = (value) => value === 'en-US' || value === 'ar-SA';
const isOf =
  (...types: string[]): Check =>
  (value) =>
    types.includes((value as { '@type'?: string } | undefined)?.['@type'] ?? '');

/** A date of ISO 8601, with or without a time. */
export function isDate(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

const isHeadline: Check = (value) => isText(value) && [...String(value)].length <= 110;
const areSteps: Check = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((step, at) => isOf('ListItem')(step) && step.position === at + 1);

const TEXT = {
  headline: isHeadline,
  name: isText,
  description: isText,
  inLanguage: isLanguage,
  datePublished: isDate,
  dateModified: isDate,
  author: isOf('Organization', 'Person'),
  mainEntityOfPage: isAddress,
} as const;

/**
 * Properties of the site's schema.org types that search engines' documentation requires or recommends,
 * as far as the site has the data.
 */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  WebSite: { name: isText, url: isAddress },
  Organization: { name: isText, url: isAddress },
  Article: TEXT,
  NewsArticle: TEXT,
  LearningResource: TEXT,
  BreadcrumbList: { itemListElement: areSteps },
  ListItem: {
    position: (value) => Number.isInteger(value),
    name: isText,
    item: isAddress,
  },
};

/** Errors of an object and the objects inside it, one line each. */
export function errorsIn(data: unknown, at = ''): string[] {
  if (Array.isArray(data))
    return data.flatMap((inner, index) => errorsIn(inner, `${at}[${index}]`));
  if (typeof data !== 'object' || data === null) return [];
  const object = data as Record<string, unknown>;
  const type = String(object['@type'] ?? '');
  const required = REQUIRED[type];
  if (!required) return [`${at} is of type '${type}', which is not in the table`];
  const isRoot = at === '';
  const context = object['@context'];
  return [
    ...(isRoot && context !== 'https://schema.org' ? [`the context is ${context}`] : []),
    ...Object.entries(required)
      .filter(([name, check]) => !check(object[name]))
      .map(([name]) => `${at}${type}.${name} is ${JSON.stringify(object[name])}`),
    ...Object.entries(object).flatMap(([name, inner]) =>
      typeof inner === 'object' ? errorsIn(inner, `${at}${type}.${name}`) : [],
    ),
  ];
}
