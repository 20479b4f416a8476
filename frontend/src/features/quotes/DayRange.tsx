import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import styles from './DayRange.module.css';
import { decimalsOf } from './price';

const LENGTH = 96;

/** The last price within the day's range; nothing without trades. */
export function DayRange({ quote }: { quote: QuoteJson }) {
  const { locale } = usePage();
  const t = useMessages('quotes');
  const { low = '0', high = '0', lastPrice = '' } = quote;
  const place = placeIn(Number(low), Number(high), Number(lastPrice));
  if (place === undefined) return <span className={styles.range} />;
  const write = (price: string) => {
    const decimals = decimalsOf(price);
    return formatNumber(locale, price, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  };
  return (
    <span className={styles.range} dir="ltr" key={`${low} ${high} ${lastPrice}`}>
      <span aria-hidden="true">{write(low)}</span>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${LENGTH} 10`}
        role="img"
        aria-label={t('range', { low: write(low), high: write(high) })}
      >
        <path className={styles.line} d={`M1 5h${LENGTH - 2}`} />
        <circle className={styles.dot} cx={4 + place * (LENGTH - 8)} cy="5" r="3.5" />
      </svg>
      <span aria-hidden="true">{write(high)}</span>
    </span>
  );
}

/** The position between low and high, 0 to 1. */
function placeIn(low: number, high: number, price: number): number | undefined {
  if (!(low > 0 && high > low && price > 0)) return undefined;
  return Math.round(Math.min(1, Math.max(0, (price - low) / (high - low))) * 1000) / 1000;
}
