import { useCommission } from '~/features/fees/useCommission';
import { Announcements } from '~/features/news/Announcements';
import { LazyProductDrawing } from '~/features/products/LazyProductDrawing';
import { PRODUCTS, type Product } from '~/features/products/products';
import { FOUR } from '~/features/products/texts';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { MARKETS, type Market } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Section } from '~/ui/Section';
import { SlideIn } from '~/ui/SlideIn';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import { HoursDiagram } from './HoursDiagram';
import styles from './InvestMore.module.css';
import ways from './ways.module.css';

/** A comparison of all products, trading hours, announcements, and how to start. */
export function InvestMore({
  document: { announcements, quotes = [], feeSchedule },
}: {
  document: InvestPageJson;
}) {
  const t = useMessages('invest-overview');
  const more = useMessages('invest-more');
  return (
    <>
      <Section className={sections.medium} aria-labelledby="compare">
        <div className={styles.head}>
          <h2 id="compare" className={headings.medium}>
            {t('compare.title')}
          </h2>
          <p className={sections.text}>{t('compare.text')}</p>
        </div>
        {MARKETS.map((market) => (
          <Compared key={market} market={market} schedule={feeSchedule} />
        ))}
      </Section>
      <section className={sections.band} aria-labelledby="hours">
        <Section as="div" className={`${sections.medium} ${styles.days}`}>
          <div className={styles.head}>
            <h2 id="hours" className={headings.medium}>
              {t('hours.title')}
            </h2>
            <p className={sections.text}>{t('hours.text')}</p>
          </div>
          <SlideIn className={styles.hours}>
            <HoursDiagram quotes={quotes} />
          </SlideIn>
          <Announcements items={announcements} />
        </Section>
      </section>
      <Section className={sections.medium} aria-labelledby="start">
        <h2 id="start" className={headings.medium}>
          {t('start.title')}
        </h2>
        <ol className={styles.steps}>
          {FOUR.map((n) => (
            <li key={n} className={styles.step}>
              <h3 className={styles.stepName}>{t(`start.${n}.name`)}</h3>
              <p>{t(`start.${n}.text`)}</p>
            </li>
          ))}
        </ol>
        <p className={ways.ways}>
          <TextLink to={pathTo('pricing')}>{more('fees.all')}</TextLink>
          <TextLink to={pathTo('education')}>{more('more.learn')}</TextLink>
          <TextLink to={pathTo('terms', { id: 'disclaimer' })}>{more('more.disclaimer')}</TextLink>
        </p>
      </Section>
    </>
  );
}

const FACTS = ['hold', 'earn', 'lose'] as const;

/** A market's products: description, return, risk and commission. */
function Compared({ market, schedule }: { market: Market; schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('invest-overview');
  const common = useMessages('common');
  return (
    <div className={styles.market}>
      <div className={styles.marketHead}>
        <h3 className={styles.marketName}>{common(`market.${market}`)}</h3>
        {/* Each row repeats these names, visually hidden where this header is visible. */}
        <p className={styles.columns} aria-hidden="true">
          {FACTS.map((fact) => (
            <span key={fact}>{t(`compare.${fact}`)}</span>
          ))}
          {schedule && <span>{t('compare.commission')}</span>}
        </p>
      </div>
      <ul>
        {PRODUCTS[market].map((product) => (
          <li key={product}>
            <Row product={product} schedule={schedule} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Row({ product, schedule }: { product: Product; schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('invest-overview');
  const products = useMessages('products');
  const commission = useCommission(schedule, product);
  return (
    <article className={styles.row}>
      <LazyProductDrawing product={product} className={styles.drawing} />
      <h4 className={styles.name}>
        <SiteLink to={pathTo(`invest-${product}`)} className={links.stretched}>
          {products(`${product}.name`)}
        </SiteLink>
      </h4>
      <dl className={styles.facts}>
        {FACTS.map((fact) => (
          <div key={fact}>
            <dt>{t(`compare.${fact}`)}</dt>
            <dd>{t(`compare.${product}.${fact}`)}</dd>
          </div>
        ))}
        {commission && (
          <div>
            <dt>{t('compare.commission')}</dt>
            <dd className={commission.isInOrder ? styles.note : styles.rate}>{commission.short}</dd>
          </div>
        )}
      </dl>
      <Icon name="arrow-forward" className={styles.arrow ?? ''} />
    </article>
  );
}
