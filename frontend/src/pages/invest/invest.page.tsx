import { ClosingBand } from '~/features/account/ClosingBand';
import { OpenAccount } from '~/features/account/OpenAccount';
import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './InvestPage.module.css';
import { MarketQuotes } from './MarketQuotes';

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
      <Section as="div" night className={styles.hero}>
        <Section as="div" className={styles.heroInner}>
          <div className={styles.words}>
            <h1 className={`${headings.large} ${styles.title}`}>{t('title')}</h1>
            <p className={styles.lead}>{t('lead')}</p>
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
              <MarketQuotes quotes={quotes} unavailable={quotesUnavailable} />
            </section>
          )}
        </Section>
      </Section>
      <NightEdge />
    </div>
  );
}

export default definePage({
  Component: InvestPage,
  messages: ['invest', 'quotes', 'open-account'],
});
