import type { ReactNode } from 'react';
import { formatFeeRate, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import type { Currency } from '~/ui/money';
import { type Decimal, toCents, toText } from './decimal';
import { FeeAmount } from './FeeAmount';
import type { FeeName, OrderFees, Working } from './order';

/**
 * Describes how each fee of an order is calculated: count × rate, then limits. The amount of the
 * fee stands next to it, so a result is only stated if it differs from that.
 */
export function useFeeSteps(fees: OrderFees, currency: Currency): (name: FeeName) => ReactNode {
  const { locale } = usePage();
  const t = useMessages('fees');
  const write = (value: Decimal, ofOrder = false) => (
    <FeeAmount value={value} currency={currency} ofOrder={ofOrder} />
  );
  const percent = (rate: Decimal) => formatPercent(locale, toText(rate));

  const product = ({ of, count, rate }: Working) => {
    if (of === 'amount' || of === 'commission') {
      const part = of === 'amount' ? formatFeeRate(locale, toText(rate)) : percent(rate);
      return t.rich('step.part', { rate: part, count: write(count, of === 'amount') });
    }
    const values = { count: Number(toText(count)), rate: write(rate) };
    return t.rich(of === 'shares' ? 'step.shares' : 'step.contracts', values);
  };

  return (name) => {
    const working = fees.lines.find((line) => line.name === name)?.working;
    if (!working) return '';
    const { exact, bound, discount } = working;
    if (!discount && !bound && toCents(exact) === exact) return product(working);
    const step = t.rich('step.exact', { step: product(working), exact: write(exact) });
    if (discount) {
      const value = write(discount.value);
      const values = { step, discount: value, rate: percent(discount.rate) };
      if (!discount.capped) return t.rich('step.discount', values);
      return t.rich('step.discount.capped', { ...values, cap: value });
    }
    if (!bound) return t.rich('step.rounded', { step });
    if (bound.rate !== undefined) {
      return t.rich('step.most.part', { step, rate: percent(bound.rate) });
    }
    return t.rich(bound.kind === 'least' ? 'step.least' : 'step.most', { step });
  };
}
