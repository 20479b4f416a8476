const MAX_CHARACTERS = 80;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  '#39': "'",
  gt: '>',
  hellip: '…',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  nbsp: ' ',
  ndash: '–',
  quot: '"',
  rdquo: '”',
  rsquo: '’',
};

/**
 * The description of a shared address: without tags and common entities, trimmed, at most 80
 * characters and an ellipsis, never cut inside a character.
 */
export function shareText(html: string): string {
  const text = html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...text];
  if (characters.length <= MAX_CHARACTERS) return text;
  return `${characters.slice(0, MAX_CHARACTERS).join('')}…`;
}
