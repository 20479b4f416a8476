import { Chart, Diagram, useDrawing, WIDTH } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { useMessages } from '~/lib/messages/messages';

/** Sessions in hours of Riyadh time; `auction` is next to continuous trading. */
const ROWS = [
  {
    name: 'saudi',
    phases: [
      { from: 9.5, to: 10, auction: true },
      { from: 10, to: 15, auction: false },
      { from: 15, to: 15 + 1 / 3, auction: true },
    ],
    times: [
      { at: 10, text: '10:00' },
      { at: 15, text: '15:00' },
    ],
  },
  {
    name: 'summer',
    phases: [{ from: 16.5, to: 23, auction: false }],
    times: [
      { at: 16.5, text: '16:30' },
      { at: 23, text: '23:00' },
    ],
  },
  {
    name: 'winter',
    phases: [{ from: 17.5, to: 24, auction: false }],
    times: [
      { at: 17.5, text: '17:30' },
      { at: 24, text: '24:00' },
    ],
  },
] as const;

/** The drawn hours, and the hour at the right edge of the box. */
const [FIRST, MIDNIGHT, LAST] = [9, 24, 25];
const ROW = 74;

/** The trading hours of each market in Riyadh time. */
export function HoursDiagram() {
  const common = useMessages('common');
  const t = useMessages('invest-overview');
  const { x, edge } = useDrawing();
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
              <rect
                className={marks.faint}
                x={0}
                y={y + 24}
                width={place(MIDNIGHT)}
                height={22}
                rx={4}
              />
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
              {times.map(({ at, text }) => (
                <text
                  key={text}
                  className={`${marks.soft} ${marks.middle} ${marks.figure}`}
                  x={place(at)}
                  y={y + 62}
                >
                  {text}
                </text>
              ))}
            </Chart>
          </g>
        );
      })}
      <rect className={marks.sand} x={edge(0, 14)} y={ROW * 3 + 10} width={14} height={14} rx={3} />
      <text className={marks.soft} x={x(20)} y={ROW * 3 + 22}>
        {t('hours.auction')}
      </text>
    </Diagram>
  );
}
