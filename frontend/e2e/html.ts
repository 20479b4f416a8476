/** A start tag as the gateway or React writes it, with attribute values in double quotes. */
export interface Tag {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

const TAG = /<([a-z][a-z0-9-]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/gi;
const ATTRIBUTE = /([^\s=>"]+)(?:="([^"]*)")?/g;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** The start tags of a document in order; script contents are treated as text. */
export function tagsOf(html: string): Tag[] {
  const markup = html.replace(/(<script\b[^>]*>)[\s\S]*?<\/script>/gi, '$1');
  return [...markup.matchAll(TAG)].map(([, name = '', rest = '']) => ({
    name: name.toLowerCase(),
    attributes: Object.fromEntries(
      [...rest.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [
        key.toLowerCase(),
        decoded(value),
      ]),
    ),
  }));
}

/** The texts of the JSON-LD scripts of a document. */
export function jsonLdOf(html: string): string[] {
  const scripts = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/g;
  return [...html.matchAll(scripts)].map(([, text = '']) => text);
}

export function titleOf(html: string): string {
  return decoded(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '');
}

/** The text of the first heading. */
export function headingOf(html: string): string {
  const inner = /<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '';
  return decoded(inner.replace(/<[^>]*>/g, '')).trim();
}

function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return NAMED[name] ?? whole;
  });
}
