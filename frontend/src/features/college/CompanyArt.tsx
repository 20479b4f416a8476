import type { ReactNode } from 'react';
import { CAPITAL_BEFORE_SAR, CAPITAL_SAR } from '~/lib/company';
import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import styles from './CompanyArt.module.css';

/** A licence with its seal. */
function Licence() {
  return (
    <>
      <path className={styles.raised} d="M104 30h112v140H104z" />
      <path className={styles.line} d="M122 56h76M122 76h76M122 96h52" />
      <path
        className={styles.accent}
        d="M160 104l8 11 13-4-4 13 11 8-11 8 4 13-13-4-8 11-8-11-13 4 4-13-11-8 11-8-4-13 13 4z"
      />
      <circle className={styles.raised} cx="160" cy="132" r="10" />
    </>
  );
}

const CAPITAL_WIDTH = 240;
const CAPITAL_BEFORE_WIDTH = (CAPITAL_WIDTH * CAPITAL_BEFORE_SAR) / CAPITAL_SAR;

/** The capital before and after, as bars to scale, and the increase. */
function Capital() {
  const { locale } = usePage();
  const t = useMessages('college');
  const text = (content: string, x: number, y: number, anchor?: 'middle' | 'end') => (
    <text
      x={x}
      y={y}
      direction="ltr"
      textAnchor={anchor}
      fontSize="13"
      fontWeight="600"
      fill="currentColor"
    >
      {content}
    </text>
  );
  const figure = (amount: number) => formatNumber(locale, amount);
  const end = 40 + CAPITAL_WIDTH;
  return (
    <>
      {text(t('capital.before'), 40, 38)}
      {text(figure(CAPITAL_BEFORE_SAR), end, 38, 'end')}
      <path className={styles.deep} d={`M40 46h${CAPITAL_BEFORE_WIDTH}v34H40z`} />
      {text(t('capital.now'), 40, 110)}
      {text(figure(CAPITAL_SAR), end, 110, 'end')}
      <path className={styles.deep} d={`M40 118h${CAPITAL_BEFORE_WIDTH}v34H40z`} />
      <path
        className={styles.accent}
        d={`M${40 + CAPITAL_BEFORE_WIDTH} 118H${end}v34H${40 + CAPITAL_BEFORE_WIDTH}z`}
      />
      {text(
        `+${figure(CAPITAL_SAR - CAPITAL_BEFORE_SAR)}`,
        end - (CAPITAL_WIDTH - CAPITAL_BEFORE_WIDTH) / 2,
        172,
        'middle',
      )}
    </>
  );
}

/** An order that splits into its fees. */
function Fees() {
  return (
    <>
      <path className={styles.deep} d="M48 48h224v32H48z" />
      <path className={styles.line} d="M110 84v26M186 84v26M230 84v26" />
      <path className={styles.accent} d="M48 114h124v26H48z" />
      <path className={styles.deep} d="M178 114h40v26h-40z" />
      <path className={styles.sand} d="M224 114h26v26h-26z" />
      <path className={styles.sand} d="M256 114h16v26h-16z" />
    </>
  );
}

/** A clock with the support hours, and the steps of a complaint. */
function Support() {
  return (
    <>
      <circle className={styles.raised} cx="160" cy="100" r="66" />
      <path className={styles.accent} d="M160 100 94.500 92A66 66 0 1 1 193 157z" opacity="0.35" />
      <circle className={styles.line} cx="160" cy="100" r="66" />
      <path className={styles.line} d="M160 100 128 86M160 100l28 50" />
      <circle className={styles.accent} cx="160" cy="100" r="7" />
    </>
  );
}

/** The triangle pattern, for news without an illustration. */
function Woodwork() {
  return (
    <>
      <path className={styles.sand} d="M40 150l40-60 40 60zM200 150l40-60 40 60z" />
      <path className={styles.accent} d="M120 150l40-90 40 90z" />
      <path className={styles.line} d="M40 150h240" />
    </>
  );
}

const DRAWINGS: Readonly<Record<string, () => ReactNode>> = {
  'licence-22251-25': Licence,
  'capital-raised': Capital,
  'how-our-fees-are-made-up': Fees,
  'support-hours-and-complaints': Support,
};

/** The illustration of a company article, by slug. */
export function CompanyArt({
  slug = '',
  className,
}: {
  slug?: string;
  className?: string | undefined;
}) {
  const Drawing = DRAWINGS[slug] ?? Woodwork;
  return (
    <svg
      className={[styles.art, className].filter(Boolean).join(' ')}
      viewBox="0 0 320 200"
      aria-hidden="true"
      focusable="false"
    >
      <Drawing />
    </svg>
  );
}
