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

const WIDTH = 320;

/** A label in a drawing; `at` is its position along the reading direction. */
function Label({
  at,
  y,
  anchor,
  children,
}: {
  at: number;
  y: number;
  anchor?: 'middle' | 'end';
  children: string;
}) {
  const { dir } = usePage();
  return (
    <text
      x={dir === 'rtl' ? WIDTH - at : at}
      y={y}
      textAnchor={anchor}
      fontSize="13"
      fontWeight="600"
      fill="currentColor"
    >
      {children}
    </text>
  );
}

const CAPITAL_START = 20;
const CAPITAL_WIDTH = 280;
const CAPITAL_BEFORE_WIDTH = (CAPITAL_WIDTH * CAPITAL_BEFORE_SAR) / CAPITAL_SAR;

/** The capital before and after, as bars to scale, and the increase. */
function Capital() {
  const { locale } = usePage();
  const t = useMessages('college');
  const figure = (amount: number) => formatNumber(locale, amount);
  const end = CAPITAL_START + CAPITAL_WIDTH;
  const before = CAPITAL_START + CAPITAL_BEFORE_WIDTH;
  return (
    <>
      <Label at={CAPITAL_START} y={38}>
        {t('capital.before')}
      </Label>
      <Label at={end} y={38} anchor="end">
        {figure(CAPITAL_BEFORE_SAR)}
      </Label>
      <Label at={CAPITAL_START} y={110}>
        {t('capital.now')}
      </Label>
      <Label at={end} y={110} anchor="end">
        {figure(CAPITAL_SAR)}
      </Label>
      <g className="mirrored">
        <path className={styles.deep} d={`M${CAPITAL_START} 46H${before}v34H${CAPITAL_START}z`} />
        <path className={styles.deep} d={`M${CAPITAL_START} 118H${before}v34H${CAPITAL_START}z`} />
        <path className={styles.accent} d={`M${before} 118H${end}v34H${before}z`} />
      </g>
      <Label at={end} y={172} anchor="end">
        {t('capital.raised', { amount: figure(CAPITAL_SAR - CAPITAL_BEFORE_SAR) })}
      </Label>
    </>
  );
}

/** An order's fees split between the company and others. */
function Fees() {
  const t = useMessages('college');
  return (
    <>
      <g className="mirrored">
        <path className={styles.deep} d="M24 40h272v34H24z" />
        <path className={styles.line} d="M99 78v26M204 78v26M250 78v26M284 78v26" />
        <path className={styles.accent} d="M24 108h150v34H24z" />
        <path className={styles.deep} d="M180 108h48v34h-48z" />
        <path className={styles.sand} d="M234 108h32v34h-32zM272 108h24v34h-24z" />
      </g>
      <Label at={99} y={164} anchor="middle">
        {t('fees.ours')}
      </Label>
      <Label at={238} y={164} anchor="middle">
        {t('fees.others')}
      </Label>
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
      viewBox={`0 0 ${WIDTH} 200`}
      aria-hidden="true"
    >
      <Drawing />
    </svg>
  );
}
