/** An entry of a table of contents. */
export interface Entry {
  /** The id of the heading: `part-1` and so on. */
  id: string;
  /** Sanitised HTML of the heading. */
  html: string;
}

/**
 * Adds ids to the main headings of a text and returns the table of contents. Takes sanitised HTML,
 * whose headings have at most `lang` and `dir`.
 */
export function withContents(bodyHtml: string): { html: string; entries: Entry[] } {
  const entries: Entry[] = [];
  const html = bodyHtml.replace(
    /<h2((?:\s[^>]*)?)>([\s\S]*?)<\/h2>/g,
    (_, attributes: string, heading: string) => {
      const id = `part-${entries.length + 1}`;
      // Links in a heading are removed from the table of contents.
      entries.push({ id, html: heading.replace(/<\/?a\b[^>]*>/g, '') });
      return `<h2 id="${id}"${attributes}>${heading}</h2>`;
    },
  );
  return { html, entries };
}
