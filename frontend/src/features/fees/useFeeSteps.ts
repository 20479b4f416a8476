import { formatFeeRate, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { type Currency, useMoney } from '~/ui/money';
import { type Decimal, toCents, toText } from './decimal';
import type { FeeName, OrderFees, Working } from './order';

/** Describes how each fee of an order is calculated: count × rate, then limits. */
export function useFeeSteps(fees: OrderFees, currency: Currency): (name: FeeName) => string {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('fees');
  const write = (value: Decimal, most = 6) => money(toText(value), currency, { most });
  const percent = (rate: Decimal) => formatPercent(locale, toText(rate));

  const product = ({ of, count, rate, exact }: Working) => {
    if (of === 'amount' || of === 'commission') {
      const part = of === 'amount' ? formatFeeRate(locale, toText(rate)) : percent(rate);
      return t('step.part', { rate: part, count: write(count), exact: write(exact) });
    }
    const values = { count: Number(toText(count)), rate: write(rate), exact: write(exact) };
    return t(of === 'shares' ? 'step.shares' : 'step.contracts', values);
  };

  return (name) => {
    const working = fees.lines.find((line) => line.name === name)?.working;
    if (!working) return '';
    const step = product(working);
    const { bound, discount } = working;
    if (discount) {
      const values = { step, discount: write(discount.value), rate: percent(discount.rate) };
      return t(discount.capped ? 'step.discount.capped' : 'step.discount', values);
    }
    if (!bound) {
      const rounded = toCents(working.exact);
      if (rounded === working.exact) return step;
      return t('step.rounded', { step, value: write(rounded, 2) });
    }
    const value = write(bound.value);
    if (bound.rate !== undefined) {
      return t('step.most.part', { step, rate: percent(bound.rate), value });
    }
    return t(bound.kind === 'least' ? 'step.least' : 'step.most', { step, value });
  };
}
