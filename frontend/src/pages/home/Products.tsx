import { ProductDrawing } from '~/features/products/ProductDrawing';
import { PRODUCTS, type Product } from '~/features/products/products';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Section } from '~/ui/Section';
import { SlideIn } from '~/ui/SlideIn';
import home from './home.module.css';
import styles from './Products.module.css';

/** The products by market, each with an illustration. */
export function Products() {
  const t = useMessages('home');
  return (
    <Section className={home.section} aria-labelledby="products">
      <div className={home.head}>
        <h2 id="products" className={home.title}>
          {t('products.title')}
        </h2>
        <p className={home.text}>{t('products.text')}</p>
      </div>
      {(['saudi', 'us'] as const).map((market) => (
        <div key={market} className={styles.market}>
          <h3 className={styles.name}>{t(`products.${market}`)}</h3>
          <SlideIn>
            <ul className={`${styles.grid} ${styles[market]}`}>
              {PRODUCTS[market].map((product) => (
                <li key={product} className={styles[product]}>
                  <Card product={product} />
                </li>
              ))}
            </ul>
          </SlideIn>
        </div>
      ))}
    </Section>
  );
}

function Card({ product }: { product: Product }) {
  const t = useMessages('products');
  return (
    <article className={styles.card}>
      <ProductDrawing product={product} className={styles.drawing} />
      <div className={styles.words}>
        <h4 className={styles.title}>
          <SiteLink to={pathTo(`invest-${product}`)} className={styles.link}>
            {t(`${product}.name`)}
          </SiteLink>
        </h4>
        <p className={styles.text}>{t(`${product}.text`)}</p>
      </div>
    </article>
  );
}
