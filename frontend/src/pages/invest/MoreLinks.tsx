import { marketOf, PRODUCTS, type Product } from '~/features/products/products';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Section } from '~/ui/Section';
import styles from './MoreLinks.module.css';

/** Links to the market's other products, its news, education and the disclaimer. */
export function MoreLinks({ product }: { product: Product }) {
  const t = useMessages('invest-more');
  const products = useMessages('products');
  const market = marketOf(product);
  return (
    <Section className={styles.section} aria-labelledby="more">
      <h2 id="more" className={styles.title}>
        {t(`more.${market}`)}
      </h2>
      <ul className={styles.products}>
        {PRODUCTS[market]
          .filter((other) => other !== product)
          .map((other) => (
            <li key={other} className={styles.product}>
              <SiteLink
                to={pathTo(`invest-${other}`)}
                className={`${links.stretched} ${styles.link}`}
              >
                {products(`${other}.name`)}
              </SiteLink>
              <span className={styles.text}>{products(`${other}.text`)}</span>
            </li>
          ))}
      </ul>
      <p className={styles.ways}>
        <SiteLink to={pathTo(`news-${market}`)} className={links.text}>
          {t(`more.news.${market}`)}
          <Icon name="arrow-forward" />
        </SiteLink>
        <SiteLink to={pathTo('education')} className={links.text}>
          {t('more.learn')}
          <Icon name="arrow-forward" />
        </SiteLink>
        <SiteLink to={pathTo('terms', { id: 'disclaimer' })} className={links.text}>
          {t('more.disclaimer')}
          <Icon name="arrow-forward" />
        </SiteLink>
      </p>
    </Section>
  );
}
