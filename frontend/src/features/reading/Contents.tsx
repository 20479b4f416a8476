import type { Language } from '~/lib/locale';
import styles from './Contents.module.css';
import type { Entry } from './contents';

/** The headings of a text as links, beside the text; nothing for a text with fewer than `least`. */
export function Contents({
  title,
  entries,
  own,
  least = 2,
}: {
  title: string;
  entries: readonly Entry[];
  /** The text's language and direction, if they differ from the page's. */
  own: Language;
  least?: number;
}) {
  if (entries.length < least) return null;
  return (
    <nav className={`${styles.contents} screen-only`} aria-labelledby="contents">
      <p id="contents" className={styles.title}>
        {title}
      </p>
      <ul {...own}>
        {entries.map(({ id, html }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={styles.entry}
              // biome-ignore lint/security/noDangerouslySetInnerHtml: a heading of sanitised HTML
              dangerouslySetInnerHTML={{ __html: html }}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}
