import { useMessages } from '~/lib/messages/messages';
import secondary from '~/ui/secondary.module.css';
import styles from './Colours.module.css';

/** The colours by name, with their values for other media. */
const COLOURS = [
  { name: 'night', hex: '#0B1529', large: true },
  { name: 'sand', hex: '#FBF8F2', large: true },
  { name: 'copper', hex: '#CF8640', large: true },
  { name: 'ink', hex: '#0E1B33', large: false },
  { name: 'dune', hex: '#F4EDE1', large: false },
  { name: 'palm', hex: '#A8926A', large: false },
  { name: 'dusk', hex: '#24406F', large: false },
  { name: 'gain', hex: '#0F7A57', large: false },
  { name: 'loss', hex: '#97182F', large: false },
] as const;

export function Colours() {
  const t = useMessages('brand');
  return (
    <ul className={styles.list}>
      {COLOURS.map(({ name, hex, large }) => (
        <li key={name} className={large ? styles.large : styles.small}>
          <svg className={styles.swatch} aria-hidden="true" focusable="false">
            <rect width="100%" height="100%" fill={hex} />
          </svg>
          <p className={styles.name}>{t(`colour.${name}`)}</p>
          <p className={styles.value}>
            <bdi dir="ltr">{hex}</bdi>
          </p>
          <p className={secondary.small}>{t(`colour.${name}.use`)}</p>
        </li>
      ))}
    </ul>
  );
}
