import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import { useMoney } from '~/ui/money';
import { TextLink } from '~/ui/TextLink';
import tables from './FeeTables.module.css';
import page from './PricingPage.module.css';

/** The cost of a contract in both premium bands, if both are set; otherwise the app shows it. */
export function Options({ schedule: { us = {} } }: { schedule: FeeScheduleJson }) {
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
        <table className={`${tables.table} ${tables.bands}`}>
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
