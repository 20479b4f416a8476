import { type ReactNode, useId } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { MARK_FAR, MARK_NEAR } from '~/ui/mark-paths';
import page from './BrandPage.module.css';
import styles from './Drawings.module.css';

/** The logo's mark; both of its parts have their own colours unless a use changes them. */
function MarkShape({ transform, near = styles.near, far = styles.far }: MarkShapeProps) {
  return (
    <g transform={transform}>
      <path className={near} d={MARK_NEAR} />
      <path className={far} d={MARK_FAR} />
    </g>
  );
}

interface MarkShapeProps {
  transform?: string;
  near?: string | undefined;
  far?: string | undefined;
}

const LINES = [-8, -4, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40];
const GRID = LINES.map((at) => `M${at} -8v48M-8 ${at}h48`).join('');

/** How the logo is constructed, and its clear space: two labelled drawings. */
export function Construction() {
  const t = useMessages('brand');
  return (
    <div className={styles.pair}>
      <Figure label={t('construction.fold')}>
        <path className={styles.grid} d={GRID} />
        <g className={styles.mark}>
          <MarkShape />
          <path className={styles.fold} d="M33 -1 6 26" />
        </g>
      </Figure>
      <Figure label={t('construction.room')}>
        <g className={styles.mark}>
          <rect className={styles.room} x="-2.25" y="-3.25" width="37.5" height="37.5" />
          <rect className={styles.box} x="4" y="3" width="25" height="25" />
          <MarkShape />
        </g>
        <path className={styles.measure} d="M16 -3.25V3M14.5 -3.25h3M14.5 3h3" />
        <text className={styles.letter} x="19" y="1.3">
          ¼
        </text>
      </Figure>
    </div>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <figure className={styles.figure}>
      <svg viewBox="-10 -10 52 52" role="img" aria-labelledby={id} className={styles.drawing}>
        <title id={id}>{label}</title>
        {children}
      </svg>
      <figcaption>{label}</figcaption>
    </figure>
  );
}

/** Uses of the logo, by the message `brand:use.{name}`. */
const USES: readonly {
  name: 'mirror' | 'clear' | 'stretch' | 'turn' | 'market' | 'outline';
  isCorrect?: true;
  marks: readonly MarkShapeProps[];
}[] = [
  {
    name: 'mirror',
    isCorrect: true,
    marks: [{ transform: 'translate(-18 0)' }, { transform: 'translate(50 0) scale(-1 1)' }],
  },
  { name: 'clear', isCorrect: true, marks: [{}] },
  { name: 'stretch', marks: [{ transform: 'translate(-14 6) scale(1.9 0.6)' }] },
  { name: 'turn', marks: [{ transform: 'rotate(100 16 16)' }] },
  { name: 'market', marks: [{ near: styles.gain, far: styles.loss }] },
  { name: 'outline', marks: [{ near: styles.outline, far: styles.outline }] },
];

/** Correct and incorrect uses of the logo, each drawn. */
export function Uses() {
  const t = useMessages('brand');
  return (
    <ul className={page.grid}>
      {USES.map(({ name, isCorrect, marks }) => (
        <li key={name}>
          <svg viewBox="-24 -12 80 56" className={styles.drawing} aria-hidden="true">
            <g className={styles.mark}>
              {marks.map((mark) => (
                <MarkShape key={mark.transform} {...mark} />
              ))}
            </g>
          </svg>
          <p className={styles.text}>
            <span className={styles.verdict} data-good={isCorrect}>
              <Icon name={isCorrect ? 'check' : 'close'} />
              <span className="visually-hidden">{t(isCorrect ? 'use.do' : 'use.dont')}: </span>
            </span>
            {t(`use.${name}`)}
          </p>
        </li>
      ))}
    </ul>
  );
}
