import type { CorporateEventJson } from '~/gen/sahm/quotes/v1/markets_pb';
import { formatDay } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Money } from '~/ui/Money';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import styles from './CorporateEvents.module.css';
import home from './home.module.css';

/** Events that phones show before the link to all. */
const FIRST_EVENTS = 4;

/** The next results and dividends by date. */
export function CorporateEvents({ events }: { events: readonly CorporateEventJson[] }) {
  const { locale } = usePage();
  const t = useMessages('markets');
  const days = byDate(events);
  return (
    <Section className={home.data} aria-labelledby="home-events">
      <div className={home.head}>
        <h2 id="home-events" className={`${headings.medium} ${home.title}`}>
          {t('events.title')}
        </h2>
        <p className={home.text}>{t('events.text')}</p>
        {events.some(({ simulated }) => simulated) && (
          <strong className={home.simulated}>{t('events.simulated')}</strong>
        )}
      </div>
      <ol id="event-dates" className={styles.days}>
        {days.map(({ date, first, events: ofDay }) => (
          <li key={date} className={styles.day} data-later={first >= FIRST_EVENTS || undefined}>
            <h3 className={styles.date}>
              <time dateTime={date}>{formatDay(locale, date)}</time>
            </h3>
            <ul>
              {ofDay.map((event, index) => (
                <Event key={event.id} event={event} isLater={first + index >= FIRST_EVENTS} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {days.reduce((sum, day) => sum + day.events.length, 0) > FIRST_EVENTS && (
        <p className={styles.all}>
          <a href="#event-dates" className={links.text}>
            {t('events.all')}
            <Icon name="chevron-down" />
          </a>
        </p>
      )}
    </Section>
  );
}

function Event({ event, isLater }: { event: CorporateEventJson; isLater: boolean }) {
  const t = useMessages('markets');
  const type = eventTypeOf(event);
  const { amountPerShare } = event;
  return (
    <li className={styles.event} data-later={isLater || undefined}>
      <p>
        <bdi>{event.name}</bdi>{' '}
        <bdi dir="ltr" className={secondary.small}>
          {event.securityCode}
        </bdi>
      </p>
      <p className={`${styles.type} ${secondary.small}`}>{type && t(`event.${type}`)}</p>
      {amountPerShare && (
        <p className={styles.amount}>
          <Money value={amountPerShare} currency={event.currency === 'USD' ? 'USD' : 'SAR'} />{' '}
          <span className={secondary.small}>{t('event.per-share')}</span>
        </p>
      )}
    </li>
  );
}

const TYPES = ['results', 'ex_dividend', 'dividend_payment'] as const;

type EventType = (typeof TYPES)[number];

/** The type of an event; undefined if this build does not know it. */
export function eventTypeOf({ eventType }: CorporateEventJson): EventType | undefined {
  return TYPES.find((type) => type === eventType);
}

interface EventDay {
  /** ISO 8601 date at the exchange. */
  date: string;
  /** The number of events before this day. */
  first: number;
  events: CorporateEventJson[];
}

/** Groups events, which must be sorted by date, by date; omits events of unknown types. */
export function byDate(events: readonly CorporateEventJson[]): EventDay[] {
  const days: EventDay[] = [];
  let first = 0;
  for (const event of events) {
    const { date } = event;
    if (!date || !eventTypeOf(event)) continue;
    const last = days.at(-1);
    if (last?.date === date) last.events.push(event);
    else days.push({ date, first, events: [event] });
    first += 1;
  }
  return days;
}
