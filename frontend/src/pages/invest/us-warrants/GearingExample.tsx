import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';
import { EXERCISE, SHARE, shareReturn, WARRANT, warrantReturn } from './figures';

const PRICES = [9, 12, 15, 18] as const;

export function GearingExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-us-warrants');
  const percent = (part: number) =>
    formatPercent(locale, part, { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  const dollars = (value: number) => money(value, 'USD', { minDecimals: 0 });
  return (
    <ExampleTable
      caption={t('example.caption', {
        share: dollars(SHARE),
        exercise: dollars(EXERCISE),
        warrant: dollars(WARRANT),
      })}
      head={[t('example.price'), t('example.share'), t('example.warrant')]}
      rows={PRICES.map((price) => ({
        name: dollars(price),
        cells: [percent(shareReturn(price)), percent(warrantReturn(price))],
      }))}
    />
  );
}
