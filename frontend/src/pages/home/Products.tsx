import { useCommission } from '~/features/fees/useCommission';
import { LazyProductDrawing } from '~/features/products/LazyProductDrawing';
import { PRODUCTS, type Product } from '~/features/products/products';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { MARKETS } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Section } from '~/ui/Section';
import { SlideIn } from '~/ui/SlideIn';
import secondary from '~/ui/secondary.module.css';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import home from './home.module.css';
import styles from './Products.module.css';

/** The products by market, each with an illustration and its commission. */
export function Products({ schedule }: { schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('home');
  return (
    <Section className={sections.large} aria-labelledby="products">
      <div className={home.head}>
        <h2 id="products" className={`${headings.medium} ${home.title}`}>
          {t('products.title')}
        </h2>
        <p className={sections.text}>{t('products.text')}</p>
      </div>
      {MARKETS.map((market) => (
        <div key={market} className={styles.market}>
          <h3 className={styles.name}>{t(`products.${market}`)}</h3>
          <SlideIn>
            <ul className={`${styles.grid} ${styles[market]}`}>
              {PRODUCTS[market].map((product) => (
                <li key={product}>
                  <Card product={product} schedule={schedule} />
                </li>
              ))}
            </ul>
          </SlideIn>
        </div>
      ))}
      <TextLink to={pathTo('invest')}>{t('products.all')}</TextLink>
    </Section>
  );
}

function Card({ product, schedule }: { product: Product; schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('products');
  const commission = useCommission(schedule, product);
  return (
    <article className={styles.card}>
      <LazyProductDrawing product={product} className={styles.drawing} />
      <div className={styles.words}>
        <h4 className={styles.title}>
          <SiteLink to={pathTo(`invest-${product}`)} className={links.stretched}>
            {t(`${product}.name`)}
          </SiteLink>
        </h4>
        <p className={secondary.text}>{t(`${product}.text`)}</p>
        {commission && <p className={styles.fee}>{commission.text}</p>}
      </div>
      <Icon name="arrow-forward" />
    </article>
  );
}
