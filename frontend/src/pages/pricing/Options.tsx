import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { Section } from '~/ui/Section';
import { textLinkClass } from '~/ui/text-link';
import { useMoney } from '~/ui/useMoney';
import styles from './Margin.module.css';
import page from './PricingPage.module.css';

/** What a contract costs, by its premium; where no figures are set, that the app shows them. */
export function Options({ schedule: { us = {} } }: { schedule: FeeScheduleJson }) {
  const money = useMoney();
  const t = useMessages('pricing-tables');
  const { optionsPremiumThreshold, optionsPerContractAbove, optionsPerContractAtMost } = us;
  const dollars = (value: string) => money(value, 'USD', { most: 6 });
  const isSet = optionsPremiumThreshold && optionsPerContractAbove && optionsPerContractAtMost;
  return (
    <Section id="options" className={page.section} aria-labelledby="options-title">
      <h2 id="options-title" className={page.title}>
        {t('options.title')}
      </h2>
      <p className={page.text}>
        {optionsPremiumThreshold
          ? t('options.text', { threshold: dollars(optionsPremiumThreshold) })
          : t('options.plain')}{' '}
        {!isSet && t('options.unset')}
      </p>
      {isSet && (
        <dl className={styles.facts}>
          <div className={styles.fact}>
            <dt>{t('options.above', { threshold: dollars(optionsPremiumThreshold) })}</dt>
            <dd className={styles.value}>
              {t('options.contract', { rate: dollars(optionsPerContractAbove) })}
            </dd>
          </div>
          <div className={styles.fact}>
            <dt>{t('options.at-most', { threshold: dollars(optionsPremiumThreshold) })}</dt>
            <dd className={styles.value}>
              {t('options.contract', { rate: dollars(optionsPerContractAtMost) })}
            </dd>
          </div>
        </dl>
      )}
      <SiteLink to={pathTo('invest-us-options')} className={textLinkClass}>
        {t('options.link')}
        <Icon name="arrow-forward" />
      </SiteLink>
    </Section>
  );
}
