import type { ReactNode } from 'react';
import styles from './Note.module.css';

/** A note above a text. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div role="note" className={styles.note}>
      {children}
    </div>
  );
}
