import type { Language } from '~/lib/locale';
import headings from '~/ui/headings.module.css';
import { TitleParts } from '~/ui/TitleParts';
import styles from './reading.module.css';

/** The title of a text and its summary, in the language of the text. */
export function TextTitle({
  title,
  summary,
  language,
}: {
  title: string | undefined;
  summary: string | undefined;
  language: Language;
}) {
  return (
    <>
      <h1 className={styles.title} {...language}>
        {title && <TitleParts text={title} />}
      </h1>
      <p className={headings.standfirst} {...language}>
        {summary}
      </p>
    </>
  );
}
