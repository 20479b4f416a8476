import type { ReactNode } from 'react';
import { statusOf, useConnected } from '~/lib/status';
import styles from './EmptyState.module.css';
import { TriangleField } from './TriangleField';

/**
 * An empty list or page: a triangle pattern, a message and help. `httpStatus` is that of the
 * response that should have contained the content.
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
