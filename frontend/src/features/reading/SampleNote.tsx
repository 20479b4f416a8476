import { useMessages } from '~/lib/messages/messages';
import styles from './reading.module.css';

/** Says that a text was written as an example. */
export function SampleNote() {
  const t = useMessages('reading');
  return (
    <div className={styles.note}>
      <p className={styles.noteTitle}>{t('sample.title')}</p>
      <p>{t('sample.note')}</p>
    </div>
  );
}
