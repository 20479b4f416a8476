import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';
import { TriangleField } from './TriangleField';

/** Nothing to show, said plainly: a field of the woodwork's triangles, a line, and what helps. */
export function EmptyState({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <TriangleField rows={['........', '..#..#..', '........']} className={styles.art} />
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}
