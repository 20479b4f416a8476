import { ClosingBand } from '~/features/account/ClosingBand';
import { Announcements } from '~/features/news/Announcements';
import { LazyProductDrawing } from '~/features/products/LazyProductDrawing';
import { MARKETS, PRODUCTS, type Product } from '~/features/products/products';
import type { AnnouncementLinkJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { Section } from '~/ui/Section';
import { SlideIn } from '~/ui/SlideIn';
import { textLinkClass } from '~/ui/text-link';
import { HoursDiagram } from './HoursDiagram';
import styles from './InvestMore.module.css';
import { FOUR } from './texts';

/** A comparison of all products, trading hours, announcements, and how to start. */
export function InvestMore({
  announcements,
}: {
  announcements?: AnnouncementLinkJson[] | undefined;
}) {
  const t = useMessages('invest-overview');
  const more = useMessages('invest-more');
  return (
    <>
      <Section className={styles.section} aria-labelledby="compare">
        <div className={styles.head}>
          <h2 id="compare" className={styles.title}>
            {t('compare.title')}
          </h2>
          <p className={styles.text}>{t('compare.text')}</p>
        </div>
        {MARKETS.map((market) => (
          <Compared key={market} market={market} />
        ))}
      </Section>
      <section className={styles.band} aria-labelledby="hours">
        <Section as="div" className={`${styles.section} ${styles.hours}`}>
          <div className={styles.head}>
            <h2 id="hours" className={styles.title}>
              {t('hours.title')}
            </h2>
            <p className={styles.text}>{t('hours.text')}</p>
          </div>
          <SlideIn>
            <HoursDiagram />
          </SlideIn>
        </Section>
      </section>
      <Announcements title={more('announcements')} items={announcements} padded />
      <Section className={styles.section} aria-labelledby="start">
        <h2 id="start" className={styles.title}>
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
        <p className={styles.ways}>
          <SiteLink to={pathTo('pricing')} className={textLinkClass}>
            {more('fees.all')}
            <Icon name="arrow-forward" />
          </SiteLink>
          <SiteLink to={pathTo('education')} className={textLinkClass}>
            {more('more.learn')}
            <Icon name="arrow-forward" />
          </SiteLink>
          <SiteLink to={pathTo('terms', { id: 'disclaimer' })} className={textLinkClass}>
            {more('more.disclaimer')}
            <Icon name="arrow-forward" />
          </SiteLink>
        </p>
      </Section>
      <ClosingBand />
    </>
  );
}

const FACTS = ['hold', 'earn', 'lose'] as const;

/** A market's products: description, return and risk. */
function Compared({ market }: { market: (typeof MARKETS)[number] }) {
  const t = useMessages('invest-overview');
  const chrome = useMessages('chrome');
  return (
    <div className={styles.market}>
      <div className={styles.marketHead}>
        <h3 className={styles.marketName}>{chrome(`market.${market}`)}</h3>
        {/* Each row says so itself, unseen where these columns have heads. */}
        <p className={styles.columns} aria-hidden="true">
          {FACTS.map((fact) => (
            <span key={fact}>{t(`compare.${fact}`)}</span>
          ))}
        </p>
      </div>
      <ul>
        {PRODUCTS[market].map((product) => (
          <li key={product}>
            <Row product={product} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Row({ product }: { product: Product }) {
  const t = useMessages('invest-overview');
  const products = useMessages('products');
  return (
    <article className={styles.row}>
      <LazyProductDrawing product={product} className={styles.drawing} />
      <h4 className={styles.name}>
        <SiteLink to={pathTo(`invest-${product}`)} className={styles.link}>
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
      </dl>
    </article>
  );
}
