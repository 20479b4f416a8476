import type { Language } from '~/lib/locale';
import styles from './Contents.module.css';

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

/** The headings of a text as links; nothing for a text with fewer than `minEntries`. */
export function Contents({
  title,
  entries,
  language,
  minEntries = 2,
}: {
  title: string;
  entries: readonly Entry[];
  /** The text's language and direction, if they differ from the page's. */
  language: Language;
  minEntries?: number;
}) {
  if (entries.length < minEntries) return null;
  return (
    <nav className={`${styles.contents} screen-only`} aria-labelledby="contents">
      <p id="contents" className={styles.title}>
        {title}
      </p>
      <ContentsList entries={entries} language={language} className={styles.entry} />
    </nav>
  );
}

/** The entries as links in the text's language. */
export function ContentsList({
  entries,
  language,
  className,
  current,
}: {
  entries: readonly Entry[];
  language: Language;
  /** The layout of a link. */
  className: string | undefined;
  /** The id of the section that is being read. */
  current?: string;
}) {
  return (
    <ul {...language}>
      {entries.map(({ id, html }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className={`${styles.link} ${className}`}
            aria-current={id === current ? 'location' : undefined}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: a heading of sanitised HTML
            dangerouslySetInnerHTML={{ __html: html }}
          />
        </li>
      ))}
    </ul>
  );
}
