import { Chart, Diagram, LegendEntry, useX, WIDTH } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { formatShortClock } from '~/lib/format/clock';
import { riyadhClock } from '~/lib/format/time';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useNow } from '~/ui/clock';

/**
 * Sessions in hours of Riyadh time; `auction` sessions adjoin continuous trading. A time is centred
 * below its hour, or placed before or after it if two are close.
 */
const ROWS = [
  {
    name: 'saudi',
    phases: [
      { from: 9.5, to: 10, auction: true },
      { from: 10, to: 15, auction: false },
      { from: 15, to: 15 + 1 / 3, auction: true },
    ],
    times: [
      { at: 9.5, text: '9:30', anchor: 'end' },
      { at: 10, text: '10:00', anchor: 'start' },
      { at: 15, text: '15:00', anchor: 'end' },
      { at: 15 + 1 / 3, text: '15:20', anchor: 'start' },
    ],
  },
  {
    name: 'summer',
    phases: [{ from: 16.5, to: 23, auction: false }],
    times: [
      { at: 16.5, text: '16:30', anchor: 'middle' },
      { at: 23, text: '23:00', anchor: 'end' },
    ],
  },
  {
    name: 'winter',
    phases: [{ from: 17.5, to: 24, auction: false }],
    times: [
      { at: 17.5, text: '17:30', anchor: 'middle' },
      { at: 24, text: '00:00', anchor: 'end' },
    ],
  },
] as const;

/** The drawn hours. */
const [FIRST, LAST] = [7, 24];
const ROW = 74;

/** The entries of the legend; their positions depend on the length of the texts before them. */
const LEGEND = [
  { name: 'auction', look: marks.sand, at: { 'en-us': 0, 'ar-sa': 0 } },
  { name: 'saudi', look: marks.deep, at: { 'en-us': 94, 'ar-sa': 82 } },
  { name: 'us', look: marks.accent, at: { 'en-us': 222, 'ar-sa': 226 } },
] as const;
/** The position of the legend's last entry, the current time. */
const NOW_AT = { 'en-us': 350, 'ar-sa': 358 } as const;

/** The hour of Riyadh's day, such as 9.5 for 9:30. */
function hourOf(epoch: number): number {
  const [hour = 0, minute = 0] = riyadhClock(epoch).split(':').map(Number);
  return hour + minute / 60;
}

/** The trading hours of each market in Riyadh time. */
export function HoursDiagram() {
  const { locale } = usePage();
  const common = useMessages('common');
  const t = useMessages('invest-overview');
  const x = useX();
  const now = hourOf(useNow());
  const place = (hour: number) => ((hour - FIRST) / (LAST - FIRST)) * WIDTH;
  return (
    <Diagram height={ROW * 3 + 30} label={t('hours.label')} caption={t('hours.caption')}>
      {ROWS.map(({ name, phases, times }, row) => {
        const y = row * ROW;
        return (
          <g key={name}>
            <text className={marks.strong} x={x(0)} y={y + 14}>
              {name === 'saudi' ? common('market.saudi') : t(`hours.${name}`)}
            </text>
            <Chart>
              <rect className={marks.faint} x={0} y={y + 24} width={WIDTH} height={22} rx={4} />
              {phases.map(({ from, to, auction }) => (
                <rect
                  key={from}
                  className={auction ? marks.sand : name === 'saudi' ? marks.deep : marks.accent}
                  x={place(from) + 0.5}
                  y={y + 24}
                  width={place(to) - place(from) - 1}
                  height={22}
                />
              ))}
              {times.map(({ at, text, anchor }) => (
                <text
                  key={text}
                  className={`${marks.soft} ${marks[anchor]} ${marks.figure}`}
                  x={place(at)}
                  y={y + 62}
                >
                  {formatShortClock(locale, text)}
                </text>
              ))}
            </Chart>
          </g>
        );
      })}
      {now >= FIRST && (
        <g data-live="">
          <Chart>
            {ROWS.map(({ name }, row) => (
              <path key={name} className={marks.now} d={`M${place(now)} ${row * ROW + 20}v30`} />
            ))}
          </Chart>
          <path className={marks.now} d={`M${x(NOW_AT[locale])} ${ROW * 3 + 10}v14`} />
          <text className={marks.soft} x={x(NOW_AT[locale] + 8)} y={ROW * 3 + 22}>
            {t('hours.now')}
          </text>
        </g>
      )}
      {LEGEND.map(({ name, look, at }) => (
        <LegendEntry key={name} look={look} at={at[locale]} y={ROW * 3 + 10}>
          {t(name === 'auction' ? 'hours.auction' : `hours.${name}-trading`)}
        </LegendEntry>
      ))}
    </Diagram>
  );
}
