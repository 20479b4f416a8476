import { useMessages } from '~/lib/messages/messages';
import styles from './reading.module.css';

/** Labels a sample text. */
export function SampleNote() {
  const t = useMessages('reading');
  return (
    <div className={styles.note}>
      <p className={styles.noteTitle}>{t('sample.title')}</p>
      <p>{t('sample.note')}</p>
    </div>
  );
}
