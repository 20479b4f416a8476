import { OpenAccount } from '~/features/account/OpenAccount';
import { LazyProductDrawing } from '~/features/products/LazyProductDrawing';
import { marketOf, type Product } from '~/features/products/products';
import { useProductTexts } from '~/features/products/texts';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './ProductHero.module.css';

/** A one-sentence summary of the product with its key facts. */
export function ProductHero({ product }: { product: Product }) {
  const common = useMessages('common');
  const invest = useMessages('invest-product');
  const t = useProductTexts(product);
  const market = marketOf(product);
  const facts = [
    ['hours', invest(`hours.${market}`), invest(`hours.${market}.note`)],
    ['settlement', invest(`settlement.${market}`), invest(`settlement.${market}.note`)],
    ['smallest', t('smallest'), t('smallest.note')],
    ['currency', invest(`currency.${market}`), invest(`currency.${market}.note`)],
  ] as const;
  return (
    <div>
      <Section as="div" night className={sections.hero}>
        <Section as="div" className={styles.inner}>
          <div className={styles.words}>
            <p>
              <SiteLink to={pathTo('invest')} className={styles.crumb}>
                {invest('crumb')}
              </SiteLink>
              <span className={styles.market}>{common(`market.${market}`)}</span>
            </p>
            <h1 className={headings.large}>{t('title')}</h1>
            <p className={`${sections.lead} ${styles.lead}`}>{t('lead')}</p>
            <p className={`${rows.actions} ${styles.ways}`}>
              <OpenAccount className={buttonClass('primary', 'large')} market={market} />
              <a href="#fees" className={links.large}>
                {invest('fees.see')}
                <Icon name="arrow-forward" />
              </a>
            </p>
          </div>
          <LazyProductDrawing product={product} className={styles.drawing} />
        </Section>
      </Section>
      <NightEdge />
      <Section as="dl" className={styles.facts}>
        {facts.map(([name, value, note]) => (
          <div key={name} className={styles.fact}>
            <dt>{invest(`fact.${name}`)}</dt>
            <dd>
              <span className={styles.value}>{value}</span>
              <span className={styles.note}>{note}</span>
            </dd>
          </div>
        ))}
      </Section>
    </div>
  );
}
