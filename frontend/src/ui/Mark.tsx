import styles from './Mark.module.css';
import { MARK_FAR, MARK_NEAR } from './mark-paths';

/**
 * The logo: two arrow-heads (sahm), each folded from two triangles, pointing up and forward;
 * mirrored with the reading direction. Decorative; the name is next to it.
 */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      className={[styles.mark, 'mirrored', className].filter(Boolean).join(' ')}
      viewBox="0 0 32 32"
      aria-hidden="true"
    >
      <path className={styles.near} d={MARK_NEAR} />
      <path className={styles.far} d={MARK_FAR} />
    </svg>
  );
}
