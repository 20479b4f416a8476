import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { DayRange } from './DayRange';
import styles from './day-columns.module.css';
import type { DayColumns } from './PriceRow';
import { currencyOf } from './price';
import { Sparkline } from './Sparkline';
import { Volume } from './Volume';

/** A security's day: its volume, its price within the day's range, and its sparkline. */
export const DAY_COLUMNS: DayColumns = { Header, Cells };

function Header() {
  const t = useMessages('quotes');
  return (
    <>
      <span className={styles.volume}>{t('column.volume')}</span>
      <span className={styles.range}>{t('column.range')}</span>
      <span className={styles.sparkline} />
    </>
  );
}

function Cells({ quote }: { quote: QuoteJson }) {
  return (
    <>
      <span className={styles.volume}>
        <Volume quote={quote} />
      </span>
      <span className={styles.range}>
        <DayRange quote={quote} />
      </span>
      <span className={styles.sparkline}>
        <Sparkline code={quote.securityCode ?? ''} currency={currencyOf(quote)} />
      </span>
    </>
  );
}
