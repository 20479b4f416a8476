import type { ComponentType, ReactNode } from 'react';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { keepTogether } from '~/lib/format/no-break';
import { isMarket, MARKETS, type Market } from '~/lib/market';
import { type PlainKey, type Translate, useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { Change, FreshnessMark, Price } from './Price';
import { PriceTime } from './PriceTime';
import { extendedOf, sessionOf } from './price';
import styles from './QuoteList.module.css';
import { useQuote } from './useQuote';

/** Live prices of securities with the state of their markets, and a note on their source. */
export function QuoteList({
  quotes,
  unavailable = false,
}: {
  quotes: readonly QuoteJson[];
  /** The quotes service did not respond. */
  unavailable?: boolean;
}) {
  const t = useMessages('quotes');
  if (unavailable) return <p className={styles.unavailable}>{t('unavailable')}</p>;
  return (
    <ErrorBoundary>
      <QuoteRows quotes={quotes} />
      <QuoteNote quotes={quotes} markets={[]} />
    </ErrorBoundary>
  );
}

/** What a list shows about a security's day. */
interface DayColumns {
  Cells?: ComponentType<{ quote: QuoteJson }>;
  /** Classes of a row that has these columns, and of its cells. */
  row?: string | undefined;
  cells?: string | undefined;
  /** The class of a time that the list states for all its rows. */
  timeClassOf: (quote: QuoteJson) => string | undefined;
}

/**
 * The rows of a list; with `day`, they show more about each security's day where there is room, else
 * the state of its market.
 */
export function QuoteRows({ quotes, day }: { quotes: readonly QuoteJson[]; day?: DayColumns }) {
  return (
    <ul className={styles.list}>
      {quotes.map((quote) => (
        <li key={quote.securityCode}>
          <PriceRow quote={quote} day={day}>
            {!day && isMarket(quote.market) && (
              <MarketSession quote={quote} market={quote.market} />
            )}
          </PriceRow>
        </li>
      ))}
    </ul>
  );
}

/**
 * A security with its live price, the price's time and the day's change; wide lists show more about
 * the day.
 */
function PriceRow({
  quote: initial,
  day,
  children,
}: {
  quote: QuoteJson;
  day?: DayColumns | undefined;
  /** Shown below the exchange. */
  children?: ReactNode;
}) {
  const t = useMessages('quotes');
  const quote = useQuote(initial);
  const { securityCode, exchange } = quote;
  return (
    <div className={`${styles.row} ${day?.row ?? ''}`}>
      <p className={styles.who}>
        <bdi className={styles.name}>{keepTogether(initial.name ?? '')}</bdi>
        <span className={styles.code}>
          <bdi dir="ltr">{securityCode}</bdi>
          {exchange && (
            <span data-exchange="">
              {' · '}
              <bdi>{exchangeName(t, exchange)}</bdi>
            </span>
          )}
        </span>
        {children && <span className={styles.code}>{children}</span>}
      </p>
      {day?.Cells && (
        <div className={day.cells} data-live="">
          <day.Cells quote={quote} />
        </div>
      )}
      <p className={styles.figures} data-live="">
        <Price quote={quote} />
        <Change quote={quote} />
        <span className={styles.when}>
          <FreshnessMark quote={quote} />
          <PriceTime quote={quote} className={day?.timeClassOf(quote)} />
        </span>
      </p>
      <ExtendedPrice quote={quote} />
    </div>
  );
}

/**
 * The pre-market or after-hours price with its change since the regular session; nothing if there
 * is none.
 */
function ExtendedPrice({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const extended = extendedOf(quote);
  if (!extended) return null;
  const { session, price } = extended;
  return (
    <p className={styles.extended} data-live="" data-extended="">
      <span className={styles.session}>
        {t(`extended.${session}`)}
        {price.time > 0 && ' · '}
        <PriceTime quote={price} />
      </span>
      <Price quote={price} />
      <Change quote={price} />
    </p>
  );
}

/** The name of an exchange; its code if the messages lack it. */
function exchangeName(t: Translate<'quotes'>, exchange: string): string {
  const key = `exchange.${exchange}`;
  return t.has(key) ? t(key as PlainKey<'quotes'>) : exchange;
}

/** Notes on the prices above: simulated or not, and the state of their markets. */
export function QuoteNote({
  quotes,
  markets = MARKETS,
  children,
}: {
  quotes: readonly QuoteJson[];
  /** The markets whose state is not shown elsewhere. */
  markets?: readonly Market[];
  /** Shown after each market's state. */
  children?: ReactNode;
}) {
  const t = useMessages('quotes');
  return (
    <div className={styles.note}>
      {quotes.some(({ simulated }) => simulated) && (
        <strong className={styles.simulated}>{t('simulated')}</strong>
      )}
      {markets.map((market) => {
        const quote = quotes.find((one) => one.market === market);
        return (
          quote && (
            <MarketSession key={market} quote={quote} market={market}>
              {children}
            </MarketSession>
          )
        );
      })}
    </div>
  );
}

/**
 * A market and its trading session, kept up to date. A new session replaces `children` with the
 * text before them, because moving them would count as a layout shift.
 */
export function MarketSession({
  quote,
  market,
  children,
}: {
  quote: QuoteJson;
  market: Market;
  children?: ReactNode;
}) {
  const common = useMessages('common');
  const t = useMessages('quotes');
  const session = sessionOf(useQuote(quote));
  if (!session) return null;
  return (
    <span data-live="">
      <span key={session} data-session={session}>
        {t('market', { market: common(`market.${market}`), state: t(`market.${session}`) })}
        {children}
      </span>
    </span>
  );
}
