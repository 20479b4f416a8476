import { useMessages } from '~/lib/messages/messages';
import { type Currency, useMoney } from '~/ui/money';
import { priceScale, toTenth } from './price-scale';
import styles from './Sparkline.module.css';
import { useHistory } from './useQuote';

/**
 * Prices since the page was opened, as a line; an empty box of the same size until there are two.
 * Time runs to the right in both languages, as on the exchanges' charts.
 */
export function Sparkline({ code, currency }: { code: string; currency: Currency }) {
  const money = useMoney();
  const t = useMessages('quotes');
  const history = useHistory(code);
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last || history.length < 2) return <span className={styles.box} />;
  const label = t('spark', {
    from: money(first.price, currency),
    to: money(last.price, currency),
  });
  return (
    <svg
      className={styles.box}
      viewBox="0 0 80 28"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path
        className={last.price < first.price ? styles.down : styles.up}
        d={sparkline(
          history.map(({ price }) => price),
          80,
          28,
        )}
      />
    </svg>
  );
}

/** Path data of evenly spaced prices in a box. */
export function sparkline(prices: readonly number[], width: number, height: number): string {
  const step = width / Math.max(1, prices.length - 1);
  const y = priceScale(prices, height);
  const points = prices.map((price, i) => `${toTenth(i * step)} ${y(price)}`);
  return `M${points.join('L')}`;
}
