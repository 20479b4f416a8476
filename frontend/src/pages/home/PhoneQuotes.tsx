import { FixedWidthPrice } from '~/features/quotes/FixedWidthPrice';
import { FreshnessMark } from '~/features/quotes/FreshnessMark';
import { PriceTime } from '~/features/quotes/PriceTime';
import { directionOf } from '~/features/quotes/price';
import { sparkline } from '~/features/quotes/sparkline';
import { useQuote } from '~/features/quotes/useQuote';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import styles from './PhoneQuotes.module.css';

/** What fills the screen; the last rows run out of its lower edge. */
const MOST = 7;

/** The list of a reader's securities as the app shows it, with the page's live prices. */
export function PhoneQuotes({ quotes }: { quotes: readonly QuoteJson[] }) {
  const t = useMessages('quotes');
  return (
    <>
      {quotes.some(({ simulated }) => simulated) && (
        <p className={styles.simulated}>{t('simulated')}</p>
      )}
      <ul className={styles.rows}>
        {quotes.slice(0, MOST).map((quote) => (
          <Row key={quote.securityCode} quote={quote} />
        ))}
      </ul>
    </>
  );
}

function Row({ quote: initial }: { quote: QuoteJson }) {
  const quote = useQuote(initial);
  return (
    <li className={styles.row}>
      <p className={styles.who}>
        <bdi className={styles.name}>{initial.name}</bdi>
        <span className={styles.code}>
          <bdi dir="ltr">{quote.securityCode}</bdi> <FreshnessMark quote={quote} />
        </span>
      </p>
      <DayLine quote={quote} />
      <p className={styles.figures} data-live="">
        <FixedWidthPrice initial={initial} quote={quote} />
        <PriceTime quote={quote} className="visually-hidden" />
      </p>
    </li>
  );
}

/** The day so far, from left to right: previous close, opening, last price. */
function DayLine({ quote }: { quote: QuoteJson }) {
  const prices = [quote.previousClose, quote.open, quote.lastPrice].map(Number);
  if (!prices.every((price) => price > 0)) return <span className={styles.day} />;
  return (
    <svg className={styles.day} data-live="" viewBox="0 0 44 24" aria-hidden="true">
      <path
        className={styles[directionOf(quote.highAndLowLimited)]}
        d={sparkline(prices, 44, 24)}
      />
    </svg>
  );
}
