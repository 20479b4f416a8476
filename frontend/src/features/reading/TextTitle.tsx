import type { Language } from '~/lib/locale';
import headings from '~/ui/headings.module.css';
import styles from './reading.module.css';

/** The space between a word and a year, such as in "the end of 2026". */
const BEFORE_YEAR = / (?=\d{4}\b)/g;

/** The title of a text and its summary, in the language of the text. */
export function TextTitle({
  title = '',
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
        {title.replace(BEFORE_YEAR, '\u00a0')}
      </h1>
      <p className={headings.standfirst} {...language}>
        {summary}
      </p>
    </>
  );
}
