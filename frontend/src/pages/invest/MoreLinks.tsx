import { marketOf, PRODUCTS, type Product } from '~/features/products/products';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import links from '~/ui/links.module.css';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import styles from './MoreLinks.module.css';
import ways from './ways.module.css';

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
      <p className={ways.ways}>
        <TextLink to={pathTo(`news-${market}`)}>{t(`more.news.${market}`)}</TextLink>
        <TextLink to={pathTo('education')}>{t('more.learn')}</TextLink>
        <TextLink to={pathTo('terms', { id: 'disclaimer' })}>{t('more.disclaimer')}</TextLink>
      </p>
    </Section>
  );
}
