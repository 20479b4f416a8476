import { Fragment } from 'react';
import type { FeeName } from '~/features/fees/order';
import { useFeeRates } from '~/features/fees/useFeeRates';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatPercent } from '~/lib/format/format';
import { pathTo } from '~/lib/links/path-to';
import type { Market } from '~/lib/market';
import { type PlainKey, useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import { useMoney } from '~/ui/money';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import styles from './FeeTables.module.css';
import page from './PricingPage.module.css';

/** The description of each fee. */
const LINES: Readonly<
  Record<Market, readonly { name: FeeName; what: PlainKey<'pricing-tables'> }[]>
> = {
  saudi: [
    { name: 'commission', what: 'saudi.commission' },
    { name: 'regulator', what: 'saudi.regulator' },
    { name: 'exchange', what: 'saudi.exchange' },
    { name: 'settlement', what: 'saudi.settlement' },
    { name: 'clearing', what: 'saudi.clearing' },
    { name: 'vat', what: 'saudi.vat' },
  ],
  us: [
    { name: 'commission', what: 'us.commission' },
    { name: 'settlement', what: 'us.settlement' },
    { name: 'sec', what: 'us.sec' },
    { name: 'cat', what: 'us.cat' },
    { name: 'vat', what: 'us.vat' },
  ],
};

/** All fees of both markets, and when they are charged; options with the US market. */
export function FeeTables({ schedule }: { schedule: FeeScheduleJson }) {
  return (
    <Section as="div" className={`${page.section} ${page.columns}`}>
      <FeeTable market="saudi" schedule={schedule} />
      <div className={page.part}>
        <FeeTable market="us" schedule={schedule} />
        <Options schedule={schedule} />
      </div>
    </Section>
  );
}

function FeeTable({ market, schedule }: { market: Market; schedule: FeeScheduleJson }) {
  const t = useMessages('pricing-tables');
  const fees = useMessages('fees');
  const rates = useFeeRates(schedule);
  const total = rates.saudiTotal;
  return (
    <section aria-labelledby={`fees-${market}`}>
      <h2 id={`fees-${market}`} className={`${headings.small} ${page.title}`}>
        {t(`${market}.title`)}
      </h2>
      <table className={styles.table}>
        <caption className={styles.caption}>{t(`${market}.caption`)}</caption>
        <thead>
          <tr>
            <th scope="col">{t('fee')}</th>
            <th scope="col">{t('rate')}</th>
          </tr>
        </thead>
        <tbody>
          {LINES[market].map(({ name, what }) => {
            const { rate, percent, limits } = rates.partsOf(market, name);
            return (
              <Fragment key={name}>
                {market === 'saudi' && name === 'vat' && total && (
                  <tr className={styles.total}>
                    <th scope="row">
                      {fees('total')}
                      <span className={styles.what}>{t('saudi.total')}</span>
                    </th>
                    <td>{total}</td>
                  </tr>
                )}
                <tr>
                  <th scope="row">
                    {fees(name)}
                    <span className={styles.what}>{t(what)}</span>
                  </th>
                  <td>
                    {percent ?? rate}
                    {limits && <span className={styles.what}>{limits}</span>}
                  </td>
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {market === 'saudi' && <Offer schedule={schedule} />}
    </section>
  );
}

/** The promotional discount while it applies. */
function Offer({ schedule: { saudi = {} } }: { schedule: FeeScheduleJson }) {
  const { locale } = usePage();
  const t = useMessages('pricing-tables');
  const { discountRate, discountCap } = saudi;
  if (!discountRate || !discountCap) return null;
  return (
    <p id="offer" className={styles.offer}>
      <strong>{t('offer.title')}</strong>{' '}
      {t.rich('offer.text', {
        rate: formatPercent(locale, discountRate),
        cap: <Money value={discountCap} currency="SAR" />,
      })}
    </p>
  );
}

/** The cost of a contract in both premium bands, if both are set; otherwise the app shows it. */
function Options({ schedule: { us = {} } }: { schedule: FeeScheduleJson }) {
  const money = useMoney();
  const t = useMessages('pricing-tables');
  const { optionsPremiumThreshold, optionsPerContractAbove, optionsPerContractAtMost } = us;
  const isSet = optionsPremiumThreshold && optionsPerContractAbove && optionsPerContractAtMost;
  const dollars = (value: string) => money(value, 'USD', { maxDecimals: 6 });
  return (
    <section id="options" aria-labelledby="options-title">
      <h2 id="options-title" className={`${headings.small} ${page.title}`}>
        {t('options.title')}
      </h2>
      <p className={page.text}>
        {optionsPremiumThreshold
          ? t('options.text', { threshold: dollars(optionsPremiumThreshold) })
          : t('options.plain')}
        {!isSet && ` ${t('options.unset')}`}
      </p>
      {isSet && (
        <table className={`${styles.table} ${styles.bands}`}>
          <thead>
            <tr>
              <th scope="col">{t('options.premium')}</th>
              <th scope="col">{t('options.fee')}</th>
            </tr>
          </thead>
          <tbody>
            {(
              [
                ['options.at-most', optionsPerContractAtMost],
                ['options.above', optionsPerContractAbove],
              ] as const
            ).map(([band, rate]) => (
              <tr key={band}>
                <th scope="row">{t(band, { threshold: dollars(optionsPremiumThreshold) })}</th>
                <td>
                  <Money value={rate} currency="USD" maxDecimals={6} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <TextLink to={pathTo('invest-us-options')}>{t('options.link')}</TextLink>
    </section>
  );
}
