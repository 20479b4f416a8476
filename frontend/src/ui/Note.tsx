import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import styles from './Note.module.css';

/** A note above a text. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div role="note" className={styles.note}>
      {children}
    </div>
  );
}

/** A note that a text exists only in the other language. */
export function OneLanguage() {
  const t = useMessages('common');
  return (
    <Note>
      <p>{t('one-language')}</p>
    </Note>
  );
}
