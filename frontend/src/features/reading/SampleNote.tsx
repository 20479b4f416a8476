import { useMessages } from '~/lib/messages/messages';
import styles from './reading.module.css';

/** Labels a sample text of a kind. */
export function SampleNote({ kind }: { kind: 'news' | 'announcement' | 'lesson' | 'company' }) {
  const t = useMessages('reading');
  return (
    <div className={styles.note}>
      <p className={styles.noteTitle}>{t(`sample.${kind}.title`)}</p>
      <p>{t(`sample.${kind}.note`)}</p>
    </div>
  );
}
