import { decimal, least, toText } from '~/features/fees/decimal';
import { LazyProductDrawing } from '~/features/products/LazyProductDrawing';
import { marketOf, PRODUCTS, type Product } from '~/features/products/products';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatFeeRate } from '~/lib/format/format';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import links from '~/ui/links.module.css';
import { useMoney } from '~/ui/money';
import { Section } from '~/ui/Section';
import { SlideIn } from '~/ui/SlideIn';
import secondary from '~/ui/secondary.module.css';
import home from './home.module.css';
import styles from './Products.module.css';

/** The products by market, each with an illustration and its commission. */
export function Products({ schedule }: { schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('home');
  return (
    <Section className={home.section} aria-labelledby="products">
      <div className={home.head}>
        <h2 id="products" className={`${headings.medium} ${home.title}`}>
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
                  <Card product={product} schedule={schedule} />
                </li>
              ))}
            </ul>
          </SlideIn>
        </div>
      ))}
    </Section>
  );
}

function Card({ product, schedule }: { product: Product; schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('products');
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
        {schedule && <Fee product={product} schedule={schedule} />}
      </div>
    </article>
  );
}

/** The commission rate; without one in the schedule, a note that the order shows the fees. */
function Fee({ product, schedule }: { product: Product; schedule: FeeScheduleJson }) {
  const { locale } = usePage();
  const t = useMessages('home');
  const money = useMoney();
  const { us = {}, saudi = {} } = schedule;
  const dollars = (rate: string) => ({ rate: money(rate, 'USD', { most: 6 }) });
  const { commissionPerShare, optionsPerContractAtMost, optionsPerContractAbove } = us;
  const text = () => {
    if (product === 'us-options' && optionsPerContractAtMost && optionsPerContractAbove) {
      const rate = least(decimal(optionsPerContractAtMost), decimal(optionsPerContractAbove));
      return t('products.fee.contract', dollars(toText(rate)));
    }
    const isInSchedule = product !== 'us-options' && product !== 'saudi-suku-bonds';
    if (isInSchedule && marketOf(product) === 'us' && commissionPerShare)
      return t('products.fee.share', dollars(commissionPerShare));
    if (isInSchedule && marketOf(product) === 'saudi' && saudi.commissionRate)
      return t('products.fee.amount', { rate: formatFeeRate(locale, saudi.commissionRate) });
    return t('products.fee.order');
  };
  return <p className={styles.fee}>{text()}</p>;
}
