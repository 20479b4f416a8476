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
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import home from './home.module.css';
import styles from './Trust.module.css';

/** The company behind the site, next to the risks. */
export function Trust({ schedule }: { schedule: FeeScheduleJson | undefined }) {
  const { locale } = usePage();
  const t = useMessages('home');
  const riyals = (value: number) => <Money value={value} currency="SAR" minDecimals={0} />;
  const { marginMaxLeverage, marginAnnualRate } = schedule?.us ?? {};
  const facts: readonly (readonly [name: string, value: ReactNode, note?: ReactNode])[] = [
    [t('trust.licence'), LICENCE_NUMBER],
    [
      t('trust.capital'),
      riyals(CAPITAL_SAR),
      t.rich('trust.capital.note', { before: riyals(CAPITAL_BEFORE_SAR) }),
    ],
    [t('trust.complaints'), t('trust.complaints.value', { days: COMPLAINT_BUSINESS_DAYS })],
    [
      t('trust.support'),
      t('trust.support.value', supportHours(locale, 'short')),
      t('trust.support.note'),
    ],
  ];
  return (
    <section className={styles.band} aria-labelledby="trust">
      <Section as="div" className={`${sections.large} ${styles.columns}`}>
        <div>
          <h2 id="trust" className={`${headings.medium} ${home.title} ${styles.title}`}>
            {t('trust.title')}
          </h2>
          <dl className={styles.facts}>
            {facts.map(([name, value, note]) => (
              <div key={name} className={styles.fact}>
                <dt>{name}</dt>
                <dd>
                  <bdi className={styles.value}>{value}</bdi>
                  {note && <span className={styles.note}>{note}</span>}
                </dd>
              </div>
            ))}
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
