import { useMessages } from '~/lib/messages/messages';
import styles from './OneLanguage.module.css';

/** Says that a text exists in the other language only (specification §8), above that text. */
export function OneLanguage() {
  const t = useMessages('chrome');
  return (
    <p role="note" className={styles.note}>
      {t('one-language')}
    </p>
  );
}
