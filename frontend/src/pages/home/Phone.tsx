import { DayLine } from '~/features/quotes/DayLine';
import { dayShape } from '~/features/quotes/day-series';
import { FixedWidthPrice } from '~/features/quotes/FixedWidthPrice';
import { Change, FreshnessMark, Price } from '~/features/quotes/Price';
import { PriceTime } from '~/features/quotes/PriceTime';
import { directionOf } from '~/features/quotes/price';
import { useQuote } from '~/features/quotes/useQuote';
import type { DaySeriesJson } from '~/gen/sahm/quotes/v1/markets_pb';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { Mark } from '~/ui/Mark';
import styles from './Phone.module.css';
import { type Portfolio, portfolioOf, watchListOf } from './portfolio';

/**
 * A picture of the app: a portfolio with its trading day and a watch list with live prices. Without
 * prices it names tradable products. Hidden from screen readers: the markets follow below.
 */
export function Phone({
  quotes,
  series,
}: {
  quotes: readonly QuoteJson[];
  series: readonly DaySeriesJson[];
}) {
  const t = useMessages('home');
  const common = useMessages('common');
  const products = useMessages('products');
  const portfolio = portfolioOf(quotes, series);
  return (
    <div className={`${styles.phone} screen-only`} aria-hidden="true">
      <div className={styles.screen}>
        <div className={styles.bar}>
          <span className={styles.brand}>
            <Mark />
            {common('site-name')}
          </span>
          {quotes.length > 0 && (
            <span className={styles.illustration}>{t('phone.illustration')}</span>
          )}
        </div>
        {portfolio && <PortfolioDay portfolio={portfolio} />}
        {quotes.length > 0 ? (
          <>
            <p className={styles.head}>{t('phone.watch-list')}</p>
            <ErrorBoundary>
              <ul className={styles.rows}>
                {watchListOf(quotes).map((quote) => (
                  <Row
                    key={quote.securityCode}
                    quote={quote}
                    series={series.find(({ code }) => code === quote.securityCode)}
                  />
                ))}
              </ul>
            </ErrorBoundary>
          </>
        ) : (
          <ul className={styles.products}>
            {(['saudi-stocks', 'us-stocks', 'saudi-suku-bonds', 'us-options'] as const).map(
              (id) => (
                <li key={id}>{products(`${id}.name`)}</li>
              ),
            )}
          </ul>
        )}
      </div>
    </div>
  );
}

const WIDTH = 300;
const HEIGHT = 128;
/** The day's chart spans at least this part of the previous close in each direction. */
const MIN_REACH = 0.001;

function PortfolioDay({ portfolio: { quote, series } }: { portfolio: Portfolio }) {
  const t = useMessages('home');
  const shape = dayShape(series, WIDTH, HEIGHT, MIN_REACH);
  const direction = directionOf(quote.highAndLowLimited);
  return (
    <>
      <div className={styles.portfolio}>
        <p className={styles.label}>{t('phone.portfolio')}</p>
        <p className={styles.value}>
          <Price quote={quote} />
        </p>
        <p className={styles.change}>
          <Change quote={quote} />
          <PriceTime quote={quote} className={styles.when} />
        </p>
      </div>
      {shape && (
        <svg
          className={`${styles.chart} ${styles[direction]}`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          data-day=""
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path className={styles.area} d={shape.area} />
          <path className={styles.before} d={`M0 ${shape.baseline}H${WIDTH}`} />
          <path className={styles.line} d={shape.line} />
          <path className={styles.last} d={shape.end} />
        </svg>
      )}
    </>
  );
}

/** A security of the watch list with its live price. */
function Row({ quote: initial, series }: { quote: QuoteJson; series: DaySeriesJson | undefined }) {
  const quote = useQuote(initial);
  return (
    <li className={styles.row}>
      <p className={styles.who}>
        <bdi className={styles.name}>{initial.name}</bdi>
        <span className={styles.code}>
          <bdi dir="ltr">{quote.securityCode}</bdi> <FreshnessMark quote={quote} />
        </span>
      </p>
      <DayLine
        series={series}
        direction={directionOf(initial.highAndLowLimited)}
        className={styles.day}
      />
      <p className={styles.figures} data-live="">
        <FixedWidthPrice initial={initial} quote={quote} />
        <PriceTime quote={quote} className="visually-hidden" />
      </p>
    </li>
  );
}
