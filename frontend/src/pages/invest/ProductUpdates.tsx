import { Announcements } from '~/features/news/Announcements';
import type { Product } from '~/features/products/products';
import { useProductTexts } from '~/features/products/texts';
import { DayList } from '~/features/quotes/DayList';
import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import sections from '~/ui/sections.module.css';
import page from './ProductPage.module.css';

/** Live prices of securities of the product's kind, and announcements. */
export function ProductUpdates({
  product,
  document: { quotes = [], quotesUnavailable = false, announcements },
}: {
  product: Product;
  document: InvestPageJson;
}) {
  const quoteTexts = useMessages('quotes');
  const t = useProductTexts(product);
  return (
    <>
      {(quotes.length > 0 || quotesUnavailable) && (
        <Section className={`${sections.medium} ${page.followed}`} aria-labelledby="prices">
          <div className={rows.apart}>
            <h2 id="prices" className={`${headings.small} ${page.title}`}>
              {t('quotes.title')}
            </h2>
            <p className={secondary.text}>{quoteTexts('examples')}</p>
          </div>
          <DayList quotes={quotes} unavailable={quotesUnavailable} />
        </Section>
      )}
      <Announcements items={announcements} padded />
    </>
  );
}
