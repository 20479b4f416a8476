import { QuoteList } from '~/features/quotes/QuoteList';
import reading from '~/features/reading/reading.module.css';
import type { ArticlePageJson } from '~/gen/sahm/page/v1/page_pb';
import { useMessages } from '~/lib/messages/messages';
import secondary from '~/ui/secondary.module.css';
import styles from './ArticlePage.module.css';

/** The securities that an article mentions, with live prices if available. */
export function Securities({
  document: { article = {}, quotes = [], quotesUnavailable = false },
}: {
  document: ArticlePageJson;
}) {
  const t = useMessages('article');
  const { stocks = [] } = article;
  const priced = new Set(quotes.map(({ securityCode }) => securityCode));
  const unpriced = stocks.filter(({ stockCode }) => !priced.has(stockCode));
  return (
    <section aria-labelledby="securities">
      <h2 id="securities" className={reading.asideTitle}>
        {t('securities')}
      </h2>
      {(quotes.length > 0 || quotesUnavailable) && (
        <QuoteList quotes={quotes} unavailable={quotesUnavailable} />
      )}
      {unpriced.length > 0 && (
        <ul>
          {unpriced.map(({ id, stockCode, stockName = '' }) => (
            <li key={id} className={styles.name}>
              <bdi>{stockName}</bdi>
              <bdi dir="ltr" className={secondary.small}>
                {stockCode}
              </bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
