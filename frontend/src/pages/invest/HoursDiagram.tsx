import { Chart, Diagram, Legend } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { useQuote } from '~/features/quotes/useQuote';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatClock } from '~/lib/format/clock';
import type { Market } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useNow } from '~/ui/clock';
import styles from './InvestMore.module.css';
import { clockOf, FIRST_HOUR, LAST_HOUR, nowIn, ROWS } from './trading-hours';

const ROW_HEIGHT = 92;
const AXIS = ROW_HEIGHT * ROWS.length;
const AXIS_HEIGHT = 30;

/** The hours of the axis. */
const TICKS = [FIRST_HOUR, 12, 16, 20, LAST_HOUR];
/** Hours that a half of the day does not make clear: 12:00 is noon or midnight. */
const HOUR_NAMES: Readonly<Record<number, 'hours.noon' | 'hours.midnight'>> = {
  12: 'hours.noon',
  24: 'hours.midnight',
};

/** A position on the axis. */
const place = (hour: number) => `${((hour - FIRST_HOUR) / (LAST_HOUR - FIRST_HOUR)) * 100}%`;

/** The class that centres a label on its hour, or keeps it inside the axis near its ends. */
function anchorAt(hour: number): string {
  if (hour === FIRST_HOUR) return '';
  return (hour < LAST_HOUR - 1 ? marks.middle : marks.end) ?? '';
}

/** The trading hours of each market in Riyadh time, with the current time in markets in session. */
export function HoursDiagram({ quotes }: { quotes: readonly QuoteJson[] }) {
  const saudi = quotes.find(({ market }) => market === 'saudi');
  const us = quotes.find(({ market }) => market === 'us');
  return saudi && us ? <LiveHours saudi={saudi} us={us} /> : <Hours />;
}

function LiveHours({ saudi, us }: { saudi: QuoteJson; us: QuoteJson }) {
  const epoch = useNow();
  const states = {
    saudi: useQuote(saudi).mktTmType ?? 0,
    us: useQuote(us).mktTmType ?? 0,
  };
  return <Hours now={ROWS.map(({ name, market }) => nowIn(name, states[market], epoch))} />;
}

/** `now` is the current hour, for rows that show it. */
function Hours({ now = [] }: { now?: readonly (number | undefined)[] }) {
  const { locale, dir } = usePage();
  const common = useMessages('common');
  const t = useMessages('invest-overview');
  const nameOf = (hour: number) =>
    HOUR_NAMES[hour] ? t(HOUR_NAMES[hour]) : formatClock(locale, clockOf(hour), 'short');
  return (
    <Diagram
      height={AXIS + AXIS_HEIGHT}
      label={t('hours.label')}
      caption={t('hours.caption')}
      legend={
        <>
          <Legend className={marks.sand}>{t('hours.auction')}</Legend>
          <Legend className={CLASS_NAMES.saudi}>{t('hours.saudi-trading')}</Legend>
          <Legend className={CLASS_NAMES.us}>{t('hours.us-trading')}</Legend>
          {now.some((hour) => hour !== undefined) && (
            <Legend className={marks.now} line>
              {t('hours.now')}
            </Legend>
          )}
        </>
      }
    >
      <Chart>
        {TICKS.map((hour) => (
          <g key={hour} className={styles.tick}>
            <line
              className={marks.axis}
              x1={place(hour)}
              x2={place(hour)}
              y1={AXIS}
              y2={AXIS + 6}
            />
            <text
              className={`${marks.soft} ${marks.figure} ${anchorAt(hour)}`}
              x={place(hour)}
              y={AXIS + 24}
            >
              {nameOf(hour)}
            </text>
          </g>
        ))}
        <line className={marks.axis} x1={0} x2="100%" y1={AXIS} y2={AXIS} />
      </Chart>
      {ROWS.map(({ name, market, phases }, row) => {
        const y = row * ROW_HEIGHT;
        return (
          <g key={name}>
            <text
              className={`${marks.strong} ${styles.label}`}
              x={dir === 'rtl' ? '100%' : 0}
              y={y + 14}
            >
              {name === 'saudi' ? common('market.saudi') : t(`hours.${name}`)}
            </text>
            <Chart>
              <rect className={marks.faint} x={0} y={y + 24} width="100%" height={22} rx={4} />
              {phases.map(({ from, to, isContinuous }) => (
                <g key={from}>
                  <rect
                    className={isContinuous ? CLASS_NAMES[market] : marks.sand}
                    x={place(from)}
                    y={y + 24}
                    width={place(FIRST_HOUR + to - from)}
                    height={22}
                  />
                  {isContinuous &&
                    [from, to].map((hour) => (
                      <text
                        key={hour}
                        className={`${marks.soft} ${marks.figure} ${anchorAt(hour)} ${styles.label}`}
                        x={place(hour)}
                        y={y + 64}
                      >
                        {nameOf(hour)}
                      </text>
                    ))}
                </g>
              ))}
            </Chart>
          </g>
        );
      })}
      <g data-live="">
        {now.map((hour, row) =>
          hour === undefined ? null : (
            <Chart key={ROWS[row]?.name}>
              <line
                className={marks.now}
                x1={place(hour)}
                x2={place(hour)}
                y1={row * ROW_HEIGHT + 20}
                y2={row * ROW_HEIGHT + 50}
              />
            </Chart>
          ),
        )}
      </g>
    </Diagram>
  );
}

const CLASS_NAMES: Readonly<Record<Market, string | undefined>> = {
  saudi: marks.deep,
  us: marks.accent,
};
