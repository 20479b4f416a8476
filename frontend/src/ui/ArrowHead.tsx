import styles from './ArrowHead.module.css';

/** The logo's arrow-head, as large as its night section, behind the content. */
export function ArrowHead() {
  return (
    <svg
      className={`${styles.arrow} mirrored screen-only`}
      viewBox="0 0 800 800"
      aria-hidden="true"
    >
      <path className={styles.near} d="M760 40H270l245 245zM420 380H80l170 170z" />
      <path className={styles.far} d="M760 40v490L515 285zM420 380v340L250 550z" />
    </svg>
  );
}
