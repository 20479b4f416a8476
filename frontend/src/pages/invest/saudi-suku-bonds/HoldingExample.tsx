import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';
import { FACE, PAYMENT, PAYMENTS } from './figures';

/** Prices as a percentage of face value. */
const PRICES = [97, 100, 103] as const;

/** A sukuk bought below, at and above face value and held to maturity. */
export function HoldingExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-suku-bonds');
  // The caption names the currency: on phones four columns have no room for it.
  const riyals = (value: number) => formatNumber(locale, value);
  const paid = (price: number) => (FACE * price) / 100;
  const periodic = PAYMENT * PAYMENTS;
  return (
    <ExampleTable
      caption={t('example.caption', {
        face: money(FACE, 'SAR', { minDecimals: 0 }),
        count: PAYMENTS,
      })}
      head={[t('example.price'), ...PRICES.map((price) => `${price}%`)]}
      rows={[
        { name: t('example.paid'), cells: PRICES.map((price) => riyals(-paid(price))) },
        { name: t('example.periodic'), cells: PRICES.map(() => riyals(periodic)) },
        { name: t('example.principal'), cells: PRICES.map(() => riyals(FACE)) },
        {
          name: t('example.left'),
          cells: PRICES.map((price) => riyals(periodic + FACE - paid(price))),
          sum: true,
        },
      ]}
    />
  );
}
