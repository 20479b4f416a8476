import { MarketName } from '~/features/news/ArticleMeta';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import styles from './Phone.module.css';
import { PhoneQuotes } from './PhoneQuotes';

/**
 * A phone with live prices of both markets; without prices it names what can be traded. A picture:
 * the same prices stand below as text.
 */
export function Phone({ quotes }: { quotes: readonly QuoteJson[] }) {
  const t = useMessages('chrome');
  const products = useMessages('products');
  return (
    <div className={styles.phone} aria-hidden="true">
      <div className={styles.screen}>
        <div className={styles.bar}>
          <span className={styles.brand}>
            <Mark />
            {t('site-name')}
          </span>
          <Icon name="menu" />
        </div>
        {quotes.length > 0 ? (
          <>
            <div className={styles.chips}>
              <span className={styles.chip} data-on="">
                <MarketName market="all" />
              </span>
              <span className={styles.chip}>
                <MarketName market="saudi" />
              </span>
              <span className={styles.chip}>
                <MarketName market="us" />
              </span>
            </div>
            <ErrorBoundary>
              <PhoneQuotes quotes={quotes} />
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
