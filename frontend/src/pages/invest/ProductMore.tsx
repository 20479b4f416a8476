import { ContactWays } from '~/features/contact/ContactWays';
import { marketOf, PRODUCTS, type Product } from '~/features/products/products';
import { FOUR, useProductTexts } from '~/features/products/texts';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import { EXAMPLES } from './examples';
import { FeesInWords, ProductFees } from './ProductFees';
import styles from './ProductMore.module.css';
import page from './ProductPage.module.css';
import ways from './ways.module.css';

/** How a product is traded, an example, costs and risks. */
export function ProductDetails({
  product,
  feeSchedule,
}: {
  product: Product;
  feeSchedule: FeeScheduleJson | undefined;
}) {
  const invest = useMessages('invest-more');
  const t = useProductTexts(product);
  const { Example, order } = EXAMPLES[product];
  return (
    <>
      <Section className={sections.medium} aria-labelledby="trade">
        <h2 id="trade" className={`${headings.small} ${page.title}`}>
          {invest('trade.title')}
        </h2>
        <TradingFacts product={product} />
      </Section>
      <section className={order && sections.band} aria-labelledby="example">
        <Section as="div" className={`${sections.medium} ${styles.example}`}>
          <div className={page.words}>
            <h2 id="example" className={`${headings.small} ${page.title}`}>
              {t('example.title')}
            </h2>
            <p>{t('example.text')}</p>
          </div>
          <Example schedule={feeSchedule} />
          {!order && (
            <section id="fees" className={styles.fees} aria-labelledby="fees-title">
              <FeesInWords product={product} schedule={feeSchedule} />
            </section>
          )}
        </Section>
      </section>
      {order && <ProductFees product={product} schedule={feeSchedule} order={order} />}
      <section className={sections.band} aria-labelledby="risks">
        <Section as="div" className={sections.medium}>
          <h2 id="risks" className={`${headings.small} ${page.title}`}>
            {invest('risks.title')}
          </h2>
          <ul className={styles.risks}>
            {FOUR.map((n) => (
              <li key={n}>
                <h3 className={styles.risk}>{t(`risk.${n}.name`)}</h3>
                <p>{t(`risk.${n}.text`)}</p>
              </li>
            ))}
          </ul>
        </Section>
      </section>
    </>
  );
}

/** How orders are placed and settled under the rules of the product's market. */
function TradingFacts({ product }: { product: Product }) {
  const invest = useMessages('invest-more');
  const t = useProductTexts(product);
  const market = marketOf(product);
  const rows = [
    [invest('trade.hours'), invest(`trade.hours.${market}`)],
    [invest('trade.outside'), invest(`trade.outside.${market}`)],
    [invest('trade.orders'), t('orders')],
    [invest('trade.settlement'), invest(`trade.settlement.${market}`)],
    [invest('trade.limits'), t('limits')],
    [t('special.name'), t('special.text')],
  ] as const;
  return (
    <dl className={styles.facts}>
      {rows.map(([name, text]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Questions about a product, contacts, and further links. */
export function ProductQuestions({ product }: { product: Product }) {
  const invest = useMessages('invest-more');
  const common = useMessages('common');
  const t = useProductTexts(product);
  return (
    <>
      <Section className={sections.medium} aria-labelledby="questions">
        <h2 id="questions" className={`${headings.small} ${page.title}`}>
          {invest('questions.title')}
        </h2>
        <div className={styles.answers}>
          <div className={styles.questions}>
            {FOUR.map((n) => (
              <details key={n} className={styles.question}>
                <summary>
                  {t(`q.${n}`)}
                  <Icon name="chevron-down" />
                </summary>
                <p>{t(`a.${n}`)}</p>
              </details>
            ))}
          </div>
          <section className={styles.support} aria-labelledby="support">
            <h3 id="support" className={styles.supportTitle}>
              {common('service.title')}
            </h3>
            <ContactWays />
          </section>
        </div>
      </Section>
      <MoreLinks product={product} />
    </>
  );
}

/** Links to the market's other products, its news, education and the disclaimer. */
function MoreLinks({ product }: { product: Product }) {
  const t = useMessages('invest-more');
  const products = useMessages('products');
  const market = marketOf(product);
  return (
    <Section className={styles.more} aria-labelledby="more">
      <h2 id="more" className={styles.moreTitle}>
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
