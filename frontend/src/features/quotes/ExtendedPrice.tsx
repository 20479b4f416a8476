import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { Change } from './Change';
import styles from './ExtendedPrice.module.css';
import { Price } from './Price';
import { PriceTime } from './PriceTime';
import { extendedOf } from './price';

/**
 * The pre-market or after-hours price with its change since the regular session; nothing if there
 * is none.
 */
export function ExtendedPrice({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const extended = extendedOf(quote);
  if (!extended) return null;
  const { session, price } = extended;
  return (
    <p className={styles.extended} data-live="">
      <span className={styles.session}>{t(`extended.${session}`)}</span>
      <Price quote={price} />
      <Change quote={price} />
      <PriceTime quote={price} />
    </p>
  );
}
