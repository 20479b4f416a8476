import type { ReactNode } from 'react';
import styles from './Note.module.css';

/** Says above a text what is to be known of it. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div role="note" className={styles.note}>
      {children}
    </div>
  );
}
