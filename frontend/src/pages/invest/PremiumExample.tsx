import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/useMoney';
import { ExampleTable } from './ExampleTable';

const UNITS = 500;
/** What a unit's securities are worth, and prices at which it may change hands. */
const VALUE = 10;
const PRICES = [9.9, 10, 10.2] as const;

/** The same unit bought below, at and above the value of what it holds. */
export function PremiumExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-etfs');
  const percent = (part: number) =>
    formatPercent(locale, part, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return (
    <ExampleTable
      caption={t('example.caption', { units: UNITS, value: money(VALUE, 'SAR') })}
      head={[t('example.price'), ...PRICES.map((price) => money(price, 'SAR'))]}
      rows={[
        {
          name: t('example.paid'),
          cells: PRICES.map((price) => money(price * UNITS, 'SAR', { least: 0 })),
        },
        {
          name: t('example.held'),
          cells: PRICES.map(() => money(VALUE * UNITS, 'SAR', { least: 0 })),
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
