import { formatFeeRate, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { type Currency, useMoney } from '~/ui/money';
import { type Decimal, toCents, toText } from './decimal';
import type { FeeName, OrderFees, Working } from './order';

/**
 * Describes how each fee of an order is calculated: count × rate, then limits. The amount of the
 * fee stands next to it, so a result is only stated if it differs from that.
 */
export function useFeeSteps(fees: OrderFees, currency: Currency): (name: FeeName) => string {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('fees');
  const write = (value: Decimal) => {
    const text = toText(value);
    return money(text, currency, { minDecimals: text.includes('.') ? 2 : 0, maxDecimals: 6 });
  };
  const percent = (rate: Decimal) => formatPercent(locale, toText(rate));

  const product = ({ of, count, rate }: Working) => {
    if (of === 'amount' || of === 'commission') {
      const part = of === 'amount' ? formatFeeRate(locale, toText(rate)) : percent(rate);
      return t('step.part', { rate: part, count: write(count) });
    }
    const values = { count: Number(toText(count)), rate: write(rate) };
    return t(of === 'shares' ? 'step.shares' : 'step.contracts', values);
  };

  return (name) => {
    const working = fees.lines.find((line) => line.name === name)?.working;
    if (!working) return '';
    const { exact, bound, discount } = working;
    if (!discount && !bound && toCents(exact) === exact) return product(working);
    const step = t('step.exact', { step: product(working), exact: write(exact) });
    if (discount) {
      const value = money(toText(discount.value), currency, { minDecimals: 2, maxDecimals: 6 });
      const values = { step, discount: value, rate: percent(discount.rate) };
      return t(discount.capped ? 'step.discount.capped' : 'step.discount', values);
    }
    if (!bound) return t('step.rounded', { step });
    if (bound.rate !== undefined) {
      return t('step.most.part', { step, rate: percent(bound.rate) });
    }
    return t(bound.kind === 'least' ? 'step.least' : 'step.most', { step });
  };
}
