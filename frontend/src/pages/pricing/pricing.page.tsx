import { ClosingBand } from '~/features/account/ClosingBand';
import { useFeeRates } from '~/features/fees/useFeeRates';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import type { PricingPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { formatDate, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { usePage } from '~/lib/page/page';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Money } from '~/ui/Money';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import sections from '~/ui/sections.module.css';
import { Calculator } from './Calculator';
import styles from './PricingPage.module.css';

const PricingMore = lazyHydrate(['pricing-tables', 'margin'], () =>
  import('./PricingMore').then((more) => more.PricingMore),
);

/** `/pricing`: the cost of an order, calculated and as tables; margin and options. */
function PricingPage({ document: { feeSchedule } }: { document: PricingPageJson }) {
  const { locale } = usePage();
  const t = useMessages('pricing');
  const fees = useMessages('fees');
  return (
    <>
      <div className={styles.page}>
        <Section as="header" className={styles.head}>
          <h1 className={headings.large}>{t('title')}</h1>
          <p className={sections.text}>{t('lead')}</p>
          {feeSchedule?.effectiveAt ? (
            <p className={secondary.text}>
              {t('since', { date: formatDate(locale, feeSchedule.effectiveAt) })}
            </p>
          ) : null}
          {feeSchedule && <Facts schedule={feeSchedule} />}
        </Section>
        {feeSchedule ? (
          <>
            <ErrorBoundary>
              <Calculator schedule={feeSchedule} />
            </ErrorBoundary>
            <PricingMore schedule={feeSchedule} />
          </>
        ) : (
          <Section as="div">
            <EmptyState title={fees('unavailable')} httpStatus={503}>
              <p>{t('unavailable')}</p>
            </EmptyState>
          </Section>
        )}
      </div>
      <ClosingBand />
    </>
  );
}

/** The commission of shares in each market. */
function Facts({ schedule }: { schedule: FeeScheduleJson }) {
  const { locale } = usePage();
  const t = useMessages('pricing');
  const { partsOf } = useFeeRates(schedule);
  const commission = partsOf('us', 'commission');
  const { discountRate, discountCap } = schedule.saudi ?? {};
  return (
    <ul className={styles.facts}>
      <li>
        <strong>{partsOf('saudi', 'commission').percent}</strong>
        {t('facts.saudi')}
        {discountRate && discountCap && (
          <a href="#offer" className={`${links.text} ${styles.offer}`}>
            <span>
              {t.rich('facts.offer', {
                rate: formatPercent(locale, discountRate),
                cap: <Money value={discountCap} currency="SAR" />,
              })}
            </span>
            <Icon name="arrow-forward" />
          </a>
        )}
      </li>
      <li>
        <strong>{commission.rate}</strong>
        {t('facts.us', { limits: commission.limits ?? '' })}
      </li>
      <li>{t('facts.others')}</li>
    </ul>
  );
}

export default definePage({
  Component: PricingPage,
  messages: ['pricing', 'fees', 'open-account'],
});
