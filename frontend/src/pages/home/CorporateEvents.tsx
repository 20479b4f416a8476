import { currencyOf } from '~/features/quotes/price';
import type { CorporateEventJson } from '~/gen/sahm/quotes/v1/markets_pb';
import { formatDateTime } from '~/lib/format/format';
import type { Locale } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import sections from '~/ui/sections.module.css';
import styles from './CorporateEvents.module.css';
import home from './home.module.css';

const MAX_EVENTS = 6;

/** The next results and dividends by date. */
export function CorporateEvents({ events }: { events: readonly CorporateEventJson[] }) {
  const { locale } = usePage();
  const t = useMessages('markets');
  const days = byDate(events);
  const shown = [...days.values()].flat();
  const hasExDividend = shown.some(({ eventType }) => eventType === 'ex_dividend');
  return (
    <Section className={home.data} aria-labelledby="home-events">
      <div className={home.head}>
        <h2 id="home-events" className={`${headings.medium} ${home.title}`}>
          {t('events.title')}
        </h2>
        <p className={sections.text}>
          {t('events.text')}
          {hasExDividend && ` ${t('events.ex-dividend')}`}
        </p>
        {events.some(({ simulated }) => simulated) && (
          <strong className={home.simulated}>{t('simulated')}</strong>
        )}
      </div>
      <ol>
        {[...days].map(([date, ofDay]) => (
          <li key={date} className={styles.day}>
            <h3 className={styles.date}>
              <time dateTime={date}>{formatDay(locale, date)}</time>
            </h3>
            <ul>
              {ofDay.map((event) => (
                <Event key={event.id} event={event} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Event({ event }: { event: CorporateEventJson }) {
  const t = useMessages('markets');
  const type = eventTypeOf(event);
  const { amountPerShare } = event;
  return (
    <li className={styles.event}>
      <p>
        <bdi>{event.name}</bdi>{' '}
        <bdi dir="ltr" className={secondary.small}>
          {event.securityCode}
        </bdi>
      </p>
      <p className={secondary.text}>
        {type && t(`event.${type}`)}
        {amountPerShare && (
          <>
            {' · '}
            <span className={styles.amount}>
              <Money value={amountPerShare} currency={currencyOf(event)} /> {t('event.per-share')}
            </span>
          </>
        )}
      </p>
    </li>
  );
}

const TYPES = ['results', 'ex_dividend', 'dividend_payment'] as const;

type EventType = (typeof TYPES)[number];

/** The type of an event; undefined if this build does not know it. */
export function eventTypeOf({ eventType }: CorporateEventJson): EventType | undefined {
  return TYPES.find((type) => type === eventType);
}

/**
 * Groups the first events, which must be sorted by date, by their ISO 8601 date at the exchange;
 * omits events of unknown types.
 */
export function byDate(events: readonly CorporateEventJson[]): Map<string, CorporateEventJson[]> {
  const shown = events.filter((event) => event.date && eventTypeOf(event)).slice(0, MAX_EVENTS);
  return Map.groupBy(shown, ({ date = '' }) => date);
}

/** Formats the date of an event (`2026-11-30`) as articles write it: `Monday 30 November`. */
export function formatDay(locale: Locale, date: string): string {
  // Midnight in UTC is on the same day in Riyadh.
  const time = Date.parse(date) / 1000;
  const options = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return formatDateTime(locale, time, options).replace('،', '');
}
