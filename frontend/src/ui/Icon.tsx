import styles from './Icon.module.css';

const HEART =
  'M12 20C7 16.3 4 13.2 4 9.6A4.3 4.3 0 018.3 5.2c1.6 0 2.9.8 3.7 2 .8-1.2 2.1-2 3.7-2A4.3 4.3 0 0120 9.6c0 3.6-3 6.7-8 10.4z';

/** Path data in a 24 × 24 box, drawn as 1.75 wide STROKES. */
const STROKES = {
  'arrow-forward': 'M4 12h15M13 6l6 6-6 6',
  'arrow-up': 'M12 20V5M6 11l6-6 6 6',
  'chevron-down': 'M6 9.5l6 6 6-6',
  'chevron-forward': 'M9.5 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M3.5 7.5h17M3.5 16.5h11',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  search: 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.3 15.3L20.5 20.5',
  globe:
    'M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM3.5 12h17M12 3.5c2.6 2.4 3.7 5.2 3.7 8.5 0 3.3-1.1 6.1-3.7 8.5-2.6-2.4-3.7-5.2-3.7-8.5 0-3.3 1.1-6.1 3.7-8.5z',
  external: 'M9 5H5v14h14v-4M13 5h6v6M19 5l-8.5 8.5',
  chat: 'M4 5.5h16v11H11l-4.5 3.5v-3.5H4zM8.5 9.5h7M8.5 12.7h4.5',
  phone:
    'M5 4.5h3.5l1.7 4.3-2.2 1.7a12 12 0 005.5 5.5l1.7-2.2 4.3 1.7V19a1.5 1.5 0 01-1.6 1.5A15.5 15.5 0 013.5 6.1 1.5 1.5 0 015 4.5z',
  mail: 'M3.5 6h17v12.5h-17zM4 6.7l8 6.3 8-6.3',
  whatsapp:
    'M4.2 19.8l1.1-3.9A8.2 8.2 0 1112 20.2a8.2 8.2 0 01-3.8-.9zM9 8.7c-.6 2.7 3.2 6.6 6 6.2l.9-1.6-2-1-1 .9c-1-.5-1.7-1.2-2.2-2.2l.9-1-1-2z',
  clock: 'M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM12 7.5V12l3 2',
  pin: 'M12 21c4.3-4.6 6.5-8.1 6.5-10.9a6.5 6.5 0 10-13 0C5.5 12.9 7.7 16.4 12 21zM12 12.2a2.2 2.2 0 100-4.4 2.2 2.2 0 000 4.4z',
  reader: 'M4.5 5.5h15M4.5 10h15M4.5 14.5h15M4.5 19h8',
  shield: 'M12 3.5l7.5 2.8v5.2c0 4.5-3 7.5-7.5 9-4.5-1.5-7.5-4.5-7.5-9V6.3z',
  heart: HEART,
  'heart-full': HEART,
  share: 'M12 15V4M7.5 8L12 3.5 16.5 8M6 11.5H5v9h14v-9h-1',
  link: 'M10 14a4 4 0 005.7 0l3-3A4 4 0 0013 5.3l-1.3 1.3M14 10a4 4 0 00-5.7 0l-3 3A4 4 0 0011 18.7l1.3-1.3',
  translate:
    'M3.5 6h10M8.5 4v2M11.5 6c-1 4-3.5 6.8-7.5 8.5M6 9c1.3 2.5 3.3 4.3 6 5.5M12.5 20l4-10 4 10M14 16.5h5',
  user: 'M12 11.5a3.8 3.8 0 100-7.6 3.8 3.8 0 000 7.6zM4.5 20c.6-3.9 3.5-6 7.5-6s6.9 2.1 7.5 6',
  alert: 'M12 3.8L21.2 20H2.8zM12 10v4.5M12 17.3v.01',
  flag: 'M6 21V4M6 5h12l-3 4 3 4H6',
  wallet: 'M18.5 8V5h-13a1.5 1.5 0 000 3h15v11.5h-15A1.5 1.5 0 014 18V6.5M16.5 13.7h.01',
  chart: 'M4 4v16h16M7.5 15l4-4.5 3 2.5 5-6.5',
  percent:
    'M18.5 5.5l-13 13M7.5 5a2.5 2.5 0 100 5 2.5 2.5 0 000-5zM16.5 14a2.5 2.5 0 100 5 2.5 2.5 0 000-5z',
  device: 'M8 3h8a2 2 0 012 2v14a2 2 0 01-2 2H8a2 2 0 01-2-2V5a2 2 0 012-2zM10.5 17.7h3',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  facebook: 'M14.5 21v-7.5h3l.5-3.5h-3.5V8c0-1.2.6-2 2-2h1.5V3.2c-4.5-.7-7 .8-7 4.3V10H8v3.5h3V21',
  x: 'M5 4.5l14 15M19 4.5l-14 15',
  instagram:
    'M8 4h8a4 4 0 014 4v8a4 4 0 01-4 4H8a4 4 0 01-4-4V8a4 4 0 014-4zM12 8.5a3.5 3.5 0 100 7 3.5 3.5 0 000-7zM16.6 7.4h.01',
  linkedin: 'M6 10v9M6 5.5v.01M11 19v-9M11 14c0-2.5 1.5-4 3.7-4S18 11.5 18 14v5',
  youtube: 'M6 6h12a3 3 0 013 3v6a3 3 0 01-3 3H6a3 3 0 01-3-3V9a3 3 0 013-3z',
  tiktok: 'M13 4v10.8a3.4 3.4 0 11-3.4-3.4M13 4c.3 3 2.3 4.9 5.2 5',
} as const;

/** Path data in the same box, filled. */
const FILLS = {
  'heart-full': HEART,
  play: 'M8 5.5v13l11-6.5z',
  youtube: 'M10.3 9.3v5.4l4.7-2.7z',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof STROKES | keyof typeof FILLS;

type Paths = Partial<Record<IconName, string>>;

/** Icons that point in reading direction: they are mirrored in right-to-left text. */
const MIRRORED = new Set<IconName>([
  'arrow-forward',
  'chevron-forward',
  'menu',
  'search',
  'external',
  'chat',
  'phone',
  'reader',
  'flag',
  'wallet',
]);

/**
 * A decorative icon as high as the line. Its meaning is given by the text next to it or by the
 * control's accessible name.
 */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  const { [name]: stroke }: Paths = STROKES;
  const { [name]: fill }: Paths = FILLS;
  const classes = [styles.icon, MIRRORED.has(name) && 'mirrored', className]
    .filter(Boolean)
    .join(' ');
  return (
    <svg className={classes} viewBox="0 0 24 24" aria-hidden="true">
      {stroke && <path className={styles.stroke} d={stroke} />}
      {fill && <path className={styles.fill} d={fill} />}
    </svg>
  );
}

/** Whether an id names an icon. */
export function isIconName(name: string): name is IconName {
  return Object.hasOwn(STROKES, name) || Object.hasOwn(FILLS, name);
}
