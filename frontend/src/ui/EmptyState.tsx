import type { ReactNode } from 'react';
import { statusOf, useConnected } from '~/lib/status';
import styles from './EmptyState.module.css';
import { TriangleField } from './TriangleField';

/**
 * Nothing to show, said plainly: a field of the woodwork's triangles, a line, and what helps.
 * `httpStatus` is that of the answer which should have told what to show.
 */
export function EmptyState({
  title,
  httpStatus = 200,
  children,
}: {
  title: ReactNode;
  httpStatus?: number;
  children?: ReactNode;
}) {
  const connected = useConnected();
  return (
    <div className={styles.state} data-status={statusOf(connected, httpStatus, 0)}>
      <TriangleField rows={['........', '..#..#..', '........']} className={styles.art} />
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}
