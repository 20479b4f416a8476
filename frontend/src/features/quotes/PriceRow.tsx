import type { ComponentType, ReactNode } from 'react';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { keepTogether } from '~/lib/format/no-break';
import { type PlainKey, type Translate, useMessages } from '~/lib/messages/messages';
import { Change } from './Change';
import { FreshnessMark, Price } from './Price';
import styles from './PriceRow.module.css';
import { PriceTime } from './PriceTime';
import { extendedOf } from './price';
import { useQuote } from './useQuote';

/** What a list shows about a security's day. */
export interface DayColumns {
  Cells?: ComponentType<{ quote: QuoteJson }>;
  /** Classes of a row that has these columns, and of its cells. */
  row?: string | undefined;
  cells?: string | undefined;
  /** The class of a time that the list states for all its rows. */
  timeClassOf: (quote: QuoteJson) => string | undefined;
}

/**
 * A security with its live price, the price's time and the day's change; wide lists show more about
 * the day.
 */
export function PriceRow({
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
        {(price.time ?? 0) > 0 && ' · '}
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
