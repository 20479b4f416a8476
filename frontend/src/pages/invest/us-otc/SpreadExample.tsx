import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useAmount } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';

const SHARES = 1_000;
/** Example bid and ask prices, on an exchange and between dealers. */
const SPREADS = [
  { key: 'exchange', bid: '1.04', ask: '1.05' },
  { key: 'otc', bid: '1.00', ask: '1.10' },
] as const;

/** The cost of the spread for a purchase with an immediate sale. */
export function SpreadExample() {
  const { locale } = usePage();
  // The caption names the currency.
  const amount = useAmount();
  const t = useMessages('invest-us-otc');
  const cents = (price: string) => Math.round(Number(price) * 100);
  const dollars = (value: number) => amount(value.toFixed(2));
  return (
    <ExampleTable
      caption={t('example.caption', { shares: SHARES })}
      head={[t('example.head'), ...SPREADS.map(({ key }) => t(`example.${key}`))]}
      rows={[
        { name: t('example.bought'), cells: SPREADS.map(({ ask }) => amount(ask)) },
        { name: t('example.sold'), cells: SPREADS.map(({ bid }) => amount(bid)) },
        {
          name: t('example.lost'),
          cells: SPREADS.map(({ bid, ask }) => dollars(((cents(bid) - cents(ask)) * SHARES) / 100)),
        },
        {
          name: t('example.part'),
          cells: SPREADS.map(({ bid, ask }) =>
            formatPercent(locale, cents(bid) / cents(ask) - 1, { maximumFractionDigits: 1 }),
          ),
          sum: true,
        },
      ]}
    />
  );
}
