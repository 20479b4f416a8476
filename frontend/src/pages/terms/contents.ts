/** An entry of a contents list. */
export interface Entry {
  /** Of the heading in the text: `part-1` and so on. */
  id: string;
  /** HTML of the heading, sanitised as the text is. */
  html: string;
}

/**
 * The text with an id on each of its main headings, and the list of them. Takes sanitised HTML,
 * whose headings carry at most `lang` and `dir`.
 */
export function withContents(bodyHtml: string): { html: string; entries: Entry[] } {
  const entries: Entry[] = [];
  const html = bodyHtml.replace(
    /<h2((?:\s[^>]*)?)>([\s\S]*?)<\/h2>/g,
    (_, attributes: string, heading: string) => {
      const id = `part-${entries.length + 1}`;
      // A link within a heading stays in the text only.
      entries.push({ id, html: heading.replace(/<\/?a\b[^>]*>/g, '') });
      return `<h2 id="${id}"${attributes}>${heading}</h2>`;
    },
  );
  return { html, entries };
}
