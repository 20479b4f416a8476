import type { ComponentType } from 'react';
import { ClosingBand } from '~/features/account/ClosingBand';
import type { Product } from '~/features/products/products';
import { useProductTexts } from '~/features/products/texts';
import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import type { Namespace } from '~/lib/messages/messages';
import { definePage, type PageComponent } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';
import { SlideIn } from '~/ui/SlideIn';
import sections from '~/ui/sections.module.css';
import { ProductHero } from './ProductHero';
import styles from './ProductPage.module.css';

const ProductDetails = lazyHydrate(
  ['invest-more', 'products', 'fees'],
  () => import('./ProductMore').then((more) => more.ProductDetails),
  { hydrateOn: 'never' },
);
const ProductUpdates = lazyHydrate(
  ['quotes'],
  () => import('./ProductUpdates').then((updates) => updates.ProductUpdates),
  { hydrateOn: 'visible' },
);
const ProductQuestions = lazyHydrate(
  ['invest-more', 'products'],
  () => import('./ProductMore').then((more) => more.ProductQuestions),
  { hydrateOn: 'never' },
);

interface ProductDiagram {
  product: Product;
  Diagram: ComponentType<{ feeSchedule: InvestPageJson['feeSchedule'] }>;
  /** The diagram is as wide as the page, below the text. */
  wide?: boolean;
}

/** Registers `/invest/{product}`. `messages` are those that only its diagram needs. */
export function defineProductPage({
  messages = [],
  ...diagram
}: ProductDiagram & { messages?: Namespace[] }): PageComponent {
  return definePage<InvestPageJson>({
    // biome-ignore lint/correctness/noComponentHookFactories: one is made per page, at module level
    Component: ({ document }) => <ProductPage {...diagram} document={document} />,
    messages: ['invest-product', `invest-${diagram.product}`, 'open-account', ...messages],
  });
}

/** An explanation with a diagram, then the details. */
function ProductPage({
  product,
  Diagram,
  wide,
  document,
}: ProductDiagram & { document: InvestPageJson }) {
  const t = useProductTexts(product);
  return (
    <>
      <ProductHero product={product} />
      <Section className={`${sections.medium} ${styles.followed}`} aria-labelledby="what">
        <div className={`${styles.what} ${wide ? styles.above : styles.beside}`}>
          <div className={styles.words}>
            <h2 id="what" className={`${headings.small} ${styles.title}`}>
              {t('what.title')}
            </h2>
            <p className={styles.lead}>{t('what.1')}</p>
            <p>{t('what.2')}</p>
            <p>{t('what.3')}</p>
          </div>
          <SlideIn>
            <Diagram feeSchedule={document.feeSchedule} />
          </SlideIn>
        </div>
      </Section>
      <ProductDetails product={product} feeSchedule={document.feeSchedule} />
      <ProductUpdates product={product} document={document} />
      <ProductQuestions product={product} />
      <ClosingBand />
    </>
  );
}
