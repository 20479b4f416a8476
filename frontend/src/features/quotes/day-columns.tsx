import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatCompact } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { DayRange } from './DayRange';
import styles from './day-columns.module.css';
import type { DayColumns } from './PriceRow';
import { currencyOf } from './price';
import { Sparkline } from './Sparkline';

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

/** The day's volume, abbreviated; nothing if it is not known. */
function Volume({ quote: { volume } }: { quote: QuoteJson }) {
  const { locale } = usePage();
  const t = useMessages('quotes');
  if (!volume) return null;
  const text = formatCompact(locale, volume);
  // A new element for each text: changing text in place counts as a layout shift.
  return (
    <span key={text}>
      <span className="visually-hidden">{t('column.volume')}: </span>
      {text}
    </span>
  );
}
