import type { ReactNode } from 'react';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { type PlainKey, type Translate, useMessages } from '~/lib/messages/messages';
import { Change } from './Change';
import { ExtendedPrice } from './ExtendedPrice';
import { FreshnessMark } from './FreshnessMark';
import { Price } from './Price';
import styles from './PriceRow.module.css';
import { PriceTime } from './PriceTime';
import { useQuote } from './useQuote';

/** Renders details of a security's day. */
export type DayOf = (quote: QuoteJson) => ReactNode;

/**
 * A security with its live price, the price's time and the day's change; wide lists show more about
 * the day.
 */
export function PriceRow({ quote: initial, day }: { quote: QuoteJson; day?: DayOf | undefined }) {
  const t = useMessages('quotes');
  const quote = useQuote(initial);
  const { securityCode, exchange } = quote;
  return (
    <div className={day ? `${styles.row} ${styles.whole}` : styles.row}>
      <p className={styles.who}>
        <bdi className={styles.name}>{initial.name}</bdi>
        <span className={styles.code}>
          <bdi dir="ltr">{securityCode}</bdi>
          {exchange && (
            <>
              {' · '}
              <bdi>{exchangeName(t, exchange)}</bdi>
            </>
          )}
        </span>
      </p>
      {day && (
        <div className={styles.day} data-live="">
          {day(quote)}
        </div>
      )}
      <p className={styles.figures} data-live="">
        <Price quote={quote} />
        <Change quote={quote} />
        <span className={styles.when}>
          <FreshnessMark quote={quote} />
          <PriceTime quote={quote} />
        </span>
      </p>
      <ExtendedPrice quote={quote} />
    </div>
  );
}

/** The name of an exchange; its code if the messages lack it. */
function exchangeName(t: Translate<'quotes'>, exchange: string): string {
  const key = `exchange.${exchange}`;
  return t.has(key) ? t(key as PlainKey<'quotes'>) : exchange;
}
