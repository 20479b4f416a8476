import { ClosingBand } from '~/features/account/ClosingBand';
import { OpenAccount } from '~/features/account/OpenAccount';
import { CloseTime, sharedClose } from '~/features/quotes/PriceTime';
import { MarketSession, QuoteList, QuoteNote, QuoteRows } from '~/features/quotes/QuoteList';
import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { MARKETS, type Market } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './InvestPage.module.css';

const InvestMore = lazyHydrate(['invest-overview', 'invest-more', 'products'], () =>
  import('./InvestMore').then((more) => more.InvestMore),
);

/** `/invest`: prices of both markets, a comparison of products, trading hours, how to start. */
function InvestPage({ document }: { document: InvestPageJson }) {
  return (
    <>
      <Hero document={document} />
      <InvestMore document={document} />
      <ClosingBand />
    </>
  );
}

function Hero({
  document: { quotes = [], quotesUnavailable = false },
}: {
  document: InvestPageJson;
}) {
  const common = useMessages('common');
  const t = useMessages('invest');
  return (
    <div>
      <Section as="div" night className={sections.hero}>
        <Section as="div" className={styles.heroInner}>
          <div className={styles.words}>
            <h1 className={`${headings.large} ${styles.title}`}>{t('title')}</h1>
            <p className={`${sections.lead} ${styles.lead}`}>{t('lead')}</p>
            <p className={rows.actions}>
              <OpenAccount className={buttonClass('primary', 'large')} />
              <a href="#compare" className={links.large}>
                {t('compare')}
                <Icon name="chevron-down" />
              </a>
            </p>
            <p className={styles.risk}>{common('risk')}</p>
          </div>
          {(quotes.length > 0 || quotesUnavailable) && (
            <section className={styles.prices} aria-labelledby="prices">
              <h2 id="prices" className={styles.pricesTitle}>
                {t('quotes')}
              </h2>
              {quotesUnavailable ? (
                <QuoteList quotes={quotes} unavailable />
              ) : (
                <ErrorBoundary>
                  {MARKETS.map((market) => (
                    <MarketQuotes
                      key={market}
                      market={market}
                      quotes={quotes.filter((quote) => quote.market === market)}
                    />
                  ))}
                  <QuoteNote quotes={quotes} markets={[]} />
                </ErrorBoundary>
              )}
            </section>
          )}
        </Section>
      </Section>
      <NightEdge />
    </div>
  );
}

/** Live prices of a market below its state and, if all of them share it, its close. */
function MarketQuotes({ market, quotes }: { market: Market; quotes: readonly QuoteJson[] }) {
  const [first] = quotes;
  const isStated = sharedClose(quotes);
  return (
    first && (
      <div className={styles.market}>
        <header className={styles.head}>
          <MarketSession quote={first} market={market}>
            {isStated(first) && <CloseTime quote={first} className={styles.close} />}
          </MarketSession>
        </header>
        <QuoteRows
          quotes={quotes}
          day={{
            row: styles.row,
            timeClassOf: (quote) => (isStated(quote) ? 'visually-hidden' : undefined),
          }}
        />
      </div>
    )
  );
}

export default definePage({
  Component: InvestPage,
  messages: ['invest', 'quotes', 'open-account'],
});
