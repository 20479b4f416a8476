import styles from './ArrowHead.module.css';

/** The mark, as large as the night that it stands in; behind what follows it there. */
export function ArrowHead() {
  return (
    <svg className={styles.arrow} viewBox="0 0 800 800" aria-hidden="true" focusable="false">
      <path className={styles.near} d="M760 40 0 316l324 160z" />
      <path className={styles.far} d="M760 40 484 800 324 476z" />
    </svg>
  );
}
