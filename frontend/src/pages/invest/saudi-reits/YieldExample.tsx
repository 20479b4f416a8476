import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Money } from '~/ui/Money';
import { useMoney } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';

const UNITS = 1_000;
const PRICE = 8;
/** The minimum share of net profit that is distributed. */
const PAYOUT = 0.9;
/** Net profit per unit: as planned, and after rents fell. */
const PROFITS = [0.6, 0.45] as const;

export function YieldExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-reits');
  const riyals = (value: number) => (
    <Money value={value.toFixed(3)} currency="SAR" maxDecimals={3} />
  );
  const percent = (part: number) => formatPercent(locale, part, { maximumFractionDigits: 2 });
  return (
    <ExampleTable
      caption={t('example.caption', { units: UNITS, price: money(PRICE, 'SAR') })}
      head={[t('example.head'), t('example.planned'), t('example.vacant')]}
      rows={[
        { name: t('example.profit'), cells: PROFITS.map(riyals) },
        {
          name: t('example.payout', { part: formatPercent(locale, PAYOUT) }),
          cells: PROFITS.map((profit) => riyals(profit * PAYOUT)),
        },
        {
          name: t('example.yours'),
          cells: PROFITS.map((profit) => (
            <Money key={profit} value={(profit * PAYOUT * UNITS).toFixed(2)} currency="SAR" />
          )),
        },
        {
          name: t('example.yield'),
          cells: PROFITS.map((profit) => percent((profit * PAYOUT) / PRICE)),
          sum: true,
        },
      ]}
    />
  );
}
