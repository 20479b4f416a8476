import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import styles from './Note.module.css';

/** Says above a text what is to be known of it. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div role="note" className={styles.note}>
      {children}
    </div>
  );
}

/** Says that a text exists in the other language only, above that text. */
export function OneLanguage() {
  const t = useMessages('chrome');
  return (
    <Note>
      <p>{t('one-language')}</p>
    </Note>
  );
}
