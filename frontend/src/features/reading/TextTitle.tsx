import type { Language } from '~/lib/locale';
import headings from '~/ui/headings.module.css';
import styles from './reading.module.css';

/** The title of a text and its summary, in the language of the text. */
export function TextTitle({
  title,
  summary,
  own,
}: {
  title: string | undefined;
  summary: string | undefined;
  own: Language;
}) {
  return (
    <>
      <h1 className={styles.title} {...own}>
        {title}
      </h1>
      <p className={`${headings.standfirst} ${styles.standfirst}`} {...own}>
        {summary}
      </p>
    </>
  );
}
