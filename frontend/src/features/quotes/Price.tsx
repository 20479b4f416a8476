import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Badge } from '~/ui/Badge';
import { Money } from '~/ui/Money';
import secondary from '~/ui/secondary.module.css';
import styles from './Price.module.css';
import {
  currencyOf,
  type Direction,
  decimalsOf,
  directionOf,
  formatChange,
  freshnessOf,
  stateOf,
} from './price';

/** The last price with muted decimals. */
export function Price({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const { lastPrice } = quote;
  if (!lastPrice) return <span className={secondary.small}>{t('none')}</span>;
  return (
    <span key={lastPrice} className={styles.price}>
      <Money
        value={lastPrice}
        currency={currencyOf(quote)}
        {...decimalsOf(lastPrice)}
        softDecimals
      />
    </span>
  );
}

/** Marks a delayed or outdated price; nothing for a current one. */
export function FreshnessMark({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const freshness = freshnessOf(quote);
  if (freshness === 'current' || !quote.lastPrice) return null;
  return <Badge>{t(`mark.${freshness}`)}</Badge>;
}

/** The day's change with arrow, sign and colour; or the reason why there is none. */
export function Change({ quote }: { quote: QuoteJson }) {
  const { locale } = usePage();
  const t = useMessages('quotes');
  const state = stateOf(quote);
  if (state !== 'priced') {
    return <span className={`${styles.change} ${styles.flat}`}>{t(`state.${state}`)}</span>;
  }
  const direction = directionOf(quote.highAndLowLimited);
  const text = formatChange(locale, quote.highAndLowLimited);
  // A new element for each text: changing text in place counts as a layout shift.
  return (
    <bdi key={text} dir="ltr" className={`${styles.change} ${styles[direction]}`}>
      {/* No arrow beside a flat price: a dash before `0.00%` would read as a minus sign. */}
      {direction !== 'flat' && <Arrow direction={direction} />}
      {text}
    </bdi>
  );
}

type Movement = Exclude<Direction, 'flat'>;

const ARROWS: Readonly<Record<Movement, string>> = {
  up: 'M1 9 5 1 9 9z',
  down: 'M1 1 5 9 9 1z',
};

function Arrow({ direction }: { direction: Movement }) {
  return (
    <svg className={styles.arrow} viewBox="0 0 10 10" aria-hidden="true">
      <path d={ARROWS[direction]} />
    </svg>
  );
}
