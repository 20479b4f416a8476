import styles from './Mark.module.css';

/**
 * The mark: an arrow-head (sahm) folded from two triangles, pointing up and along the line; it
 * mirrors with the direction of reading. Decorative; the name stands beside it.
 */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      className={[styles.mark, className].filter(Boolean).join(' ')}
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <path className={styles.near} d="M29 3 2.5 12.6l11.3 5.6z" />
      <path className={styles.far} d="M29 3l-9.6 26.5-5.6-11.3z" />
    </svg>
  );
}
