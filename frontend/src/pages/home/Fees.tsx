import { decimal, toText } from '~/features/fees/decimal';
import { FeeSplit } from '~/features/fees/FeeSplit';
import { type FeeName, saudiOrder, usBuy } from '~/features/fees/order';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import section from '~/ui/section.module.css';
import { textLinkClass } from '~/ui/text-link';
import { useMoney } from '~/ui/useMoney';
import styles from './Fees.module.css';
import home from './home.module.css';
import { useFeeRates } from './useFeeRates';

/** The examples: 100 US shares at $20, and SAR 10,000 of Saudi shares. */
const SHARES = '100';
const PRICE = '20';
const AMOUNT = '10000';

/** What an order costs, worked out from the schedule in force. */
export function Fees({ schedule }: { schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('home');
  return (
    <section id="fees" className={styles.band} aria-labelledby="fees-title">
      <div className={`${section.inner} ${home.section}`}>
        <div className={home.head}>
          <h2 id="fees-title" className={home.title}>
            {t('fees.title')}
          </h2>
          <p className={home.text}>{t(schedule ? 'fees.text' : 'fees.unavailable')}</p>
        </div>
        {schedule && <Examples schedule={schedule} />}
        <SiteLink to="/pricing" className={textLinkClass}>
          {t('fees.all')}
          <Icon name="arrow-forward" />
        </SiteLink>
      </div>
    </section>
  );
}

function Examples({ schedule }: { schedule: FeeScheduleJson }) {
  const money = useMoney();
  const t = useMessages('home');
  const us = usBuy(schedule, decimal(SHARES), decimal(PRICE));
  const saudi = saudiOrder(schedule, decimal(AMOUNT));
  const rates = useFeeRates(schedule, saudi);
  const names = (name: FeeName) => t(`fees.${name}`);
  return (
    <div className={styles.examples}>
      {us && (
        <FeeSplit
          kicker={t('fees.example')}
          title={t('fees.us', { shares: Number(SHARES), price: money(PRICE, 'USD') })}
          fees={us}
          currency="USD"
          names={names}
          rates={rates.us}
          totalName={t('fees.total')}
          note={rates.sec}
        />
      )}
      {saudi && (
        <FeeSplit
          kicker={t('fees.example')}
          title={t('fees.saudi', {
            amount: money(toText(saudi.amount), 'SAR', { least: 0 }),
          })}
          fees={saudi}
          currency="SAR"
          names={names}
          rates={rates.saudi}
          totalName={t('fees.total')}
        />
      )}
    </div>
  );
}
