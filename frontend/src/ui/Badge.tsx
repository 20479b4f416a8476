import type { ReactNode } from 'react';
import styles from './Badge.module.css';

/** A label after a name: `strong` is filled, `soft` is outlined. */
export function Badge({
  tone = 'soft',
  children,
}: {
  tone?: 'strong' | 'soft';
  children: ReactNode;
}) {
  return <span className={[styles.badge, styles[tone]].join(' ')}>{children}</span>;
}
