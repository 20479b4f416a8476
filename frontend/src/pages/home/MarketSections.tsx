import { DayLine } from '~/features/quotes/DayLine';
import { MarketState } from '~/features/quotes/MarketState';
import { Change, FreshnessMark, Price } from '~/features/quotes/Price';
import { PriceTime } from '~/features/quotes/PriceTime';
import { directionOf, sessionOf } from '~/features/quotes/price';
import type {
  CorporateEventJson,
  DailyCloseJson,
  DaySeriesJson,
  IndexQuoteJson,
  MarketMoversJson,
} from '~/gen/sahm/quotes/v1/markets_pb';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatNumber } from '~/lib/format/format';
import { MARKETS, type Market as MarketId } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import { CorporateEvents } from './CorporateEvents';
import home from './home.module.css';
import styles from './MarketSections.module.css';

interface MarketData {
  quotes: readonly QuoteJson[];
  indices: readonly IndexQuoteJson[];
  movers: readonly MarketMoversJson[];
  series: readonly DaySeriesJson[];
  dailyCloses: readonly DailyCloseJson[];
}

/**
 * The sections of market data; a section that the market-data provider does not offer is omitted.
 */
export function MarketSections({
  corporateEvents,
  ...data
}: MarketData & { corporateEvents: readonly CorporateEventJson[] }) {
  const hasMarkets = data.indices.length > 0 || data.movers.length > 0;
  return (
    <>
      {hasMarkets && <Markets data={data} />}
      {corporateEvents.length > 0 && <CorporateEvents events={corporateEvents} />}
    </>
  );
}

/** Both markets: session, indices, top movers and the last daily close. */
function Markets({ data }: { data: MarketData }) {
  const t = useMessages('markets');
  const quotes = useMessages('quotes');
  const prices = [...data.quotes, ...data.indices];
  return (
    <Section className={home.data} aria-labelledby="home-markets">
      <div className={home.head}>
        <h2 id="home-markets" className={`${headings.medium} ${home.title}`}>
          {t('title')}
        </h2>
        {prices.some(({ simulated }) => simulated) && (
          <strong className={home.simulated}>{quotes('simulated')}</strong>
        )}
      </div>
      <div className={home.pair}>
        {MARKETS.map((market) => (
          <Market key={market} market={market} data={data} />
        ))}
      </div>
    </Section>
  );
}

function Market({ market, data }: { market: MarketId; data: MarketData }) {
  const t = useMessages('markets');
  const common = useMessages('common');
  const quote = data.quotes.find((one) => one.market === market);
  const indices = data.indices.filter((index) => index.market === market);
  const { gainers = [], losers = [] } = data.movers.find((one) => one.market === market) ?? {};
  const close = data.dailyCloses.find((one) => one.market === market);
  const isOpen = quote && sessionOf(quote) === '1';
  const id = `home-market-${market}`;
  return (
    <section className={styles.market} aria-labelledby={id}>
      <header className={styles.marketHead}>
        <h3 id={id} className={styles.name}>
          {common(`market.${market}`)}
        </h3>
        {quote && <MarketState quote={quote} />}
      </header>
      {indices.length > 0 && (
        <ul className={styles.indices}>
          {indices.map((index) => (
            <Index
              key={index.code}
              index={index}
              series={data.series.find(({ code }) => code === index.code)}
            />
          ))}
        </ul>
      )}
      <div className={styles.movers}>
        <Movers name={t('gainers')} quotes={gainers} />
        <Movers name={t('losers')} quotes={losers} />
      </div>
      {(close || isOpen) && (
        <p className={secondary.small}>
          {close
            ? t('breadth', {
                advancers: close.advancers ?? 0,
                decliners: close.decliners ?? 0,
                unchanged: close.unchanged ?? 0,
              })
            : t('breadth.pending')}
        </p>
      )}
    </section>
  );
}

function Index({ index, series }: { index: IndexQuoteJson; series: DaySeriesJson | undefined }) {
  const { locale } = usePage();
  const { value = '', changeRatio = '', mktTmType = 0, time = 0 } = index;
  const quote = { lastPrice: value, highAndLowLimited: changeRatio, mktTmType, time };
  return (
    <li className={styles.index}>
      <p className={`${styles.indexName} ${secondary.small}`}>
        <bdi>{index.name}</bdi>
      </p>
      <p className={styles.value}>
        <bdi>{formatNumber(locale, value, { minimumFractionDigits: 2 })}</bdi>
      </p>
      <DayLine series={series} direction={directionOf(changeRatio)} className={styles.day} />
      <Change quote={quote} />
      <PriceTime quote={quote} className={`${secondary.small} ${styles.time}`} />
    </li>
  );
}

function Movers({ name, quotes }: { name: string; quotes: readonly QuoteJson[] }) {
  if (quotes.length === 0) return null;
  return (
    <div>
      <h4 className={`${styles.moversName} ${secondary.small}`}>{name}</h4>
      <ul>
        {quotes.map((quote) => (
          <li key={quote.securityCode} className={styles.mover}>
            <p className={styles.who}>
              <bdi className={styles.security}>{quote.name}</bdi>
              <span className={secondary.text}>
                <Price quote={quote} /> <FreshnessMark quote={quote} />
              </span>
              <PriceTime quote={quote} className="visually-hidden" />
            </p>
            <Change quote={quote} />
          </li>
        ))}
      </ul>
    </div>
  );
}
