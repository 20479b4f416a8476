import { formatNumber, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';

const UNITS = 500;
/** The net asset value of a unit, and possible market prices. */
const VALUE = 10;
const PRICES = [9.9, 10, 10.2] as const;

/** A unit bought below, at and above its net asset value. */
export function PremiumExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-etfs');
  // The caption names the currency: on phones four columns have no room for it.
  const riyals = (value: number, minDecimals = 0) =>
    formatNumber(locale, value, { minimumFractionDigits: minDecimals });
  const percent = (part: number) =>
    formatPercent(locale, part, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return (
    <ExampleTable
      caption={t('example.caption', { units: UNITS, value: money(VALUE, 'SAR') })}
      head={[t('example.price'), ...PRICES.map((price) => riyals(price, 2))]}
      rows={[
        {
          name: t('example.paid'),
          cells: PRICES.map((price) => riyals(price * UNITS)),
        },
        {
          name: t('example.held'),
          cells: PRICES.map(() => riyals(VALUE * UNITS)),
        },
        {
          name: t('example.premium'),
          cells: PRICES.map((price) => percent(price / VALUE - 1)),
          sum: true,
        },
      ]}
    />
  );
}
