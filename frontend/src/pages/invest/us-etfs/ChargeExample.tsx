import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';
import { CHARGES, GROWTH, grown, START, YEARS } from './figures';

/** The value after five, ten and twenty years, by annual charge. */
export function ChargeExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-us-etfs');
  const dollars = (value: number) =>
    money(Math.round(value), 'USD', { minDecimals: 0, maxDecimals: 0 });
  return (
    <ExampleTable
      caption={t('example.caption', {
        start: dollars(START),
        growth: formatPercent(locale, GROWTH),
      })}
      head={[t('example.charge'), ...CHARGES.map((charge) => formatPercent(locale, charge))]}
      rows={[5, 10, YEARS].map((years) => ({
        name: t('example.after', { years }),
        cells: CHARGES.map((charge) => dollars(grown(charge, years))),
        sum: years === YEARS,
      }))}
    />
  );
}
