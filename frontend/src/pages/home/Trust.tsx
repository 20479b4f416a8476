import type { ReactNode } from 'react';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import {
  CAPITAL_BEFORE_SAR,
  CAPITAL_SAR,
  COMPLAINT_BUSINESS_DAYS,
  LICENCE_NUMBER,
  supportHours,
} from '~/lib/company';
import { formatPercent } from '~/lib/format/format';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import home from './home.module.css';
import styles from './Trust.module.css';

/** The company behind the site, next to the risks. */
export function Trust({ schedule }: { schedule: FeeScheduleJson | undefined }) {
  const { locale } = usePage();
  const t = useMessages('home');
  const riyals = (value: number) => <Money value={value} currency="SAR" minDecimals={0} />;
  const { marginMaxLeverage, marginAnnualRate } = schedule?.us ?? {};
  return (
    <section className={styles.band} aria-labelledby="trust">
      <Section as="div" className={`${home.section} ${styles.columns}`}>
        <div>
          <h2 id="trust" className={`${headings.medium} ${home.title} ${styles.title}`}>
            {t('trust.title')}
          </h2>
          <dl className={styles.facts}>
            <Fact name={t('trust.licence')} value={LICENCE_NUMBER} />
            <Fact
              name={t('trust.capital')}
              value={riyals(CAPITAL_SAR)}
              note={t.rich('trust.capital.note', {
                before: riyals(CAPITAL_BEFORE_SAR),
              })}
            />
            <Fact
              name={t('trust.complaints')}
              value={t('trust.complaints.value', { days: COMPLAINT_BUSINESS_DAYS })}
            />
            <Fact
              name={t('trust.support')}
              value={t('trust.support.value', supportHours(locale, 'short'))}
              note={t('trust.support.note')}
            />
          </dl>
          <TextLink to={pathTo('terms', { id: 'privacy-policy' })}>{t('trust.privacy')}</TextLink>
        </div>
        <div className={styles.risk}>
          <h2 className={headings.medium}>{t('risk.title')}</h2>
          <ul className={styles.risks}>
            <li>{t('risk.prices')}</li>
            {marginMaxLeverage && marginAnnualRate && (
              <li>
                {t.rich('risk.margin', {
                  leverage: <bdi>1:{marginMaxLeverage}</bdi>,
                  rate: <bdi>{formatPercent(locale, marginAnnualRate)}</bdi>,
                })}
              </li>
            )}
            <li>{t('risk.options')}</li>
          </ul>
          <TextLink to={pathTo('terms', { id: 'disclaimer' })}>{t('risk.more')}</TextLink>
        </div>
      </Section>
    </section>
  );
}

function Fact({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>
        <bdi className={styles.value}>{value}</bdi>
        {note && <span className={styles.note}>{note}</span>}
      </dd>
    </div>
  );
}
