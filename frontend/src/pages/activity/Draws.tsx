import type { CustomInfoJson } from '~/gen/sahm/activity/v1/campaign_pb';
import type { DrawJson } from '~/gen/sahm/activity/v1/draw_pb';
import { formatDate } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Money } from '~/ui/Money';
import { useMoney } from '~/ui/money';
import secondary from '~/ui/secondary.module.css';
import { weekOf } from './campaign';
import styles from './Sections.module.css';
import type { Ticket } from './useParticipation';

const STATES = ['open', 'closed', 'revealed'] as const;

/** A campaign's draws, how to verify them, and the member's tickets. */
export function Draws({
  custom,
  draws,
  tickets,
}: {
  custom: CustomInfoJson;
  draws: readonly DrawJson[];
  tickets: readonly Ticket[];
}) {
  const t = useMessages('activity');
  const money = useMoney();
  const { ticketAmount = '', ticketsMax = 0 } = custom;
  return (
    <>
      <p className={styles.text}>
        {t.rich('draws.text', {
          amount: <bdi>{money(ticketAmount, 'SAR', { minDecimals: 0 })}</bdi>,
          most: ticketsMax,
        })}
      </p>
      {tickets.length > 0 && <Tickets tickets={tickets} />}
      {draws.length === 0 && <p className={secondary.text}>{t('draws.none')}</p>}
      <ol className={`${styles.cards} ${styles.draws}`}>
        {draws.map((draw) => (
          <li key={draw.id}>
            <Draw draw={draw} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Tickets({ tickets }: { tickets: readonly Ticket[] }) {
  const t = useMessages('activity');
  const money = useMoney();
  return (
    <div>
      <h3 className={styles.name}>{t('draws.tickets')}</h3>
      {[...Map.groupBy(tickets, ({ drawId }) => drawId)].map(([drawId, ofDraw]) => (
        <div key={drawId} className={styles.week}>
          <h4 className={styles.of}>
            <DrawName id={drawId} />
          </h4>
          <ul className={styles.tickets}>
            {ofDraw.map(({ id, number, prize }) => (
              <li key={id} className={styles.ticket} data-won={prize ? '' : undefined}>
                <bdi className={styles.number}>{String(number).padStart(5, '0')}</bdi>
                {prize && (
                  <span>
                    {t('draws.won', {
                      amount: money(prize.amount ?? '', 'SAR', { minDecimals: 0 }),
                    })}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

// Names a weekly draw by its week, any other draw by its id.
function DrawName({ id }: { id: string }) {
  const t = useMessages('activity');
  const week = weekOf(id);
  return week ? t('draws.week', { week }) : <bdi>{id}</bdi>;
}

function Draw({ draw }: { draw: DrawJson }) {
  const { locale } = usePage();
  const t = useMessages('activity');
  const money = useMoney();
  const { id = '', prizes = [], wins = [], ticketCount = 0, openedAt = 0 } = draw;
  const state = STATES.find((known) => known === draw.state) ?? 'open';
  const proofs = (['seedHash', 'ticketsHash', 'seed'] as const).filter((name) => draw[name]);
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        <h3 className={styles.name}>
          <DrawName id={id} />
        </h3>
        <p className={styles.drawState}>{t(`draws.state.${state}`)}</p>
      </header>
      <p className={styles.prize}>
        {prizes.map((prize) => (
          <Money key={prize.id} value={prize.amount ?? '0'} currency="SAR" minDecimals={0} />
        ))}
      </p>
      <p className={secondary.text}>
        {t('draws.count', { count: ticketCount })}
        {openedAt > 0 && ` · ${t('draws.opened', { date: formatDate(locale, openedAt) })}`}
      </p>
      {wins.length > 0 && (
        <ul>
          {wins.map(({ id: win, number = 0, prize }) => (
            <li key={win}>
              {t('draws.winner', {
                number: String(number).padStart(5, '0'),
                amount: money(prize?.amount ?? '0', 'SAR', { minDecimals: 0 }),
              })}
            </li>
          ))}
        </ul>
      )}
      {proofs.length > 0 && (
        <details className={styles.proof}>
          <summary>{t('draws.check')}</summary>
          <dl>
            {proofs.map((name) => (
              <div key={name}>
                <dt>{t(`draws.${name}`)}</dt>
                <dd>
                  <code dir="ltr">{draw[name]}</code>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </article>
  );
}
