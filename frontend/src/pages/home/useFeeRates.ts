import { type Decimal, toText } from '~/features/fees/decimal';
import type { FeeName, OrderFees } from '~/features/fees/order';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/useMoney';

/** How each line of the two examples is worked out, in words, from the schedule itself. */
export function useFeeRates(schedule: FeeScheduleJson, order: OrderFees | undefined) {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('home');
  const { us = {}, saudi = {}, vatRate = '0' } = schedule;
  const dollars = (text = '0') => money(text, 'USD', { most: 6 });
  const riyals = (value: Decimal) => money(toText(value), 'SAR');
  const percent = (rate = '0') => formatPercent(locale, rate);
  const vat = t('fees.of-commission', { rate: percent(vatRate) });
  const part = (rate: string | undefined) => t('fees.of-amount', { rate: percent(rate) });

  const usRates: Partial<Record<FeeName, string>> = {
    commission: t('fees.commission.us', {
      rate: dollars(us.commissionPerShare),
      min: dollars(us.commissionMin),
      max: percent(us.commissionMaxRate),
    }),
    settlement: t('fees.per-share.min', {
      rate: dollars(us.settlementPerShare),
      min: dollars(us.settlementMin),
    }),
    cat: t('fees.per-share.min', { rate: dollars(us.catPerShare), min: dollars(us.catMin) }),
    vat,
  };
  const rate = percent(saudi.commissionRate);
  const saudiRates: Partial<Record<FeeName, string>> = {
    commission:
      order && order.discount > 0n
        ? t('fees.commission.discounted', {
            rate,
            full: riyals(order.fullCommission),
            discount: riyals(order.discount),
          })
        : t('fees.commission.saudi', { rate }),
    regulator: part(saudi.regulatorRate),
    exchange: part(saudi.exchangeRate),
    settlement: part(saudi.settlementRate),
    clearing: part(saudi.clearingRate),
    vat,
  };
  return {
    us: (name: FeeName) => usRates[name] ?? '',
    saudi: (name: FeeName) => saudiRates[name] ?? '',
    /** What a sale of US shares carries beside. */
    sec: t('fees.sec', {
      rate: dollars(us.secPerShare),
      min: dollars(us.secMin),
      max: dollars(us.secMax),
    }),
  };
}
