import { PriceChip } from '~/features/quotes/PriceChip';
import { QuoteNote } from '~/features/quotes/QuoteNote';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { Section } from '~/ui/Section';
import styles from './Strip.module.css';

/** Both markets in one line of live prices; what does not fit is reached by scrolling. */
export function Strip({ quotes }: { quotes: readonly QuoteJson[] }) {
  const t = useMessages('quotes');
  return (
    <Section className={styles.strip} aria-label={t('strip')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it too */}
      <ul className={styles.chips} tabIndex={0} aria-label={t('strip')}>
        {quotes.map((quote) => (
          <li key={quote.securityCode}>
            <PriceChip quote={quote} />
          </li>
        ))}
      </ul>
      <QuoteNote quotes={quotes} />
    </Section>
  );
}
