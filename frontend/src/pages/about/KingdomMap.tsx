import styles from './AboutPage.module.css';

/** Saudi Arabia with a pin at Riyadh. Decorative: the text beside it names the city. */
export function KingdomMap() {
  return (
    <svg className={styles.kingdom} viewBox="0 0 292 242" aria-hidden="true" focusable="false">
      <path d={BORDER} />
      <circle className={styles.halo} cx="167" cy="114" r="16" />
      <circle className={styles.city} cx="167" cy="114" r="7" />
    </svg>
  );
}

/** The border from Natural Earth's 1:110m data, 15 units per degree of latitude. */
const BORDER =
  'M113 239l-1-6l-5-5l-1-6l-7-5l-7-13l-4-12l-9-10l-6-3l-9-14l-2-10l1-9l-8-17l-7-6l-7-3l-5-8l1-4l-4-8l-4-3l-5-11l-8-12l-7-10l-7 0l2-9l1-5l1-6l15 3l6-5l4-5l10-3l2-5l5-2l-14-15l28-8l2-2l17 4l20 11l39 30l25 1l12 1l4 8l10-1l5 13l7 4l2 5l9 6l1 6l-1 5l2 5l3 5l2 5l2 3l5 3l3-1l3 6l0 3l6 15l41 8l3-3l6 10l-9 31l-41 14l-40 6l-13 7l-9 16l-7 2l-3-5l-5 1l-14-2l-2-1l-16 0l-4 2l-5-4l-4 7l1 6z';
