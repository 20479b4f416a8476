import { decimal, toText } from '~/features/fees/decimal';
import { FeeAmount } from '~/features/fees/FeeAmount';
import { FeeSplit } from '~/features/fees/FeeSplit';
import { type FeeName, saudiOrder, usOrder } from '~/features/fees/order';
import { useFeeRates } from '~/features/fees/useFeeRates';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatPercent } from '~/lib/format/format';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import home from './home.module.css';

/** The examples: SAR 10,000 of Saudi shares, and 100 US shares at $20. The Arabic message is correct only for whole hundreds. */
const AMOUNT = '10000';
const SHARES = '100';
const PRICE = '20';

/** The cost of example orders, calculated from the current fee schedule. */
export function Fees({ schedule }: { schedule: FeeScheduleJson | undefined }) {
  const t = useMessages('home');
  const unavailable = useMessages('fees');
  return (
    <section id="fees" className={sections.band} aria-labelledby="fees-title">
      <Section as="div" className={sections.large}>
        <div className={home.head}>
          <h2 id="fees-title" className={`${headings.medium} ${home.title}`}>
            {t('fees.title')}
          </h2>
          <p className={sections.text}>{schedule ? t('fees.text') : unavailable('unavailable')}</p>
        </div>
        {schedule && <Examples schedule={schedule} />}
        <TextLink to={pathTo('pricing')}>{t('fees.all')}</TextLink>
      </Section>
    </section>
  );
}

function Examples({ schedule }: { schedule: FeeScheduleJson }) {
  const { locale } = usePage();
  const t = useMessages('home');
  const fees = useMessages('fees');
  const us = usOrder(schedule, 'buy', decimal(SHARES), decimal(PRICE));
  const saudi = saudiOrder(schedule, decimal(AMOUNT));
  const rates = useFeeRates(schedule);
  const saudiRates = (name: FeeName) => {
    const working = saudi?.lines.find((line) => line.name === name)?.working;
    if (!working?.discount) return rates.saudi(name);
    return fees.rich('rate.commission.discounted', {
      rate: formatPercent(locale, toText(working.rate)),
      full: <FeeAmount value={working.exact} currency="SAR" />,
      discount: <FeeAmount value={working.discount.value} currency="SAR" />,
    });
  };
  return (
    <div className={home.pair}>
      {saudi && (
        <FeeSplit
          title={t.rich('fees.saudi', {
            amount: <FeeAmount value={saudi.amount} currency="SAR" ofOrder />,
          })}
          fees={saudi}
          currency="SAR"
          rates={saudiRates}
        />
      )}
      {us && (
        <FeeSplit
          title={t.rich('fees.us', {
            shares: Number(SHARES),
            price: <FeeAmount value={decimal(PRICE)} currency="USD" />,
          })}
          fees={us}
          currency="USD"
          rates={rates.us}
          note={fees('rate.sec', rates.sec)}
        />
      )}
    </div>
  );
}
