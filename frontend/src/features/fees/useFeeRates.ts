import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatFeeRate, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import type { FeeName } from './order';

/** Describes each fee in words, from the schedule. */
export function useFeeRates(schedule: FeeScheduleJson) {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('fees');
  const { us = {}, saudi = {}, vatRate = '0' } = schedule;
  const dollars = (text = '0') => money(text, 'USD', { most: 6 });
  const percent = (rate = '0') => formatPercent(locale, rate);
  const vat = t('rate.of-commission', { rate: percent(vatRate) });
  const part = (rate = '0') => t('rate.of-amount', { rate: formatFeeRate(locale, rate) });

  const sec = {
    rate: dollars(us.secPerShare),
    min: dollars(us.secMin),
    max: dollars(us.secMax),
  };

  const usRates: Partial<Record<FeeName, string>> = {
    commission: t('rate.commission.us', {
      rate: dollars(us.commissionPerShare),
      min: dollars(us.commissionMin),
      max: percent(us.commissionMaxRate),
    }),
    settlement: t('rate.per-share', {
      rate: dollars(us.settlementPerShare),
      min: dollars(us.settlementMin),
    }),
    sec: t('rate.per-share.most', sec),
    cat: t('rate.per-share', { rate: dollars(us.catPerShare), min: dollars(us.catMin) }),
    vat,
  };
  const saudiRates: Partial<Record<FeeName, string>> = {
    commission: part(saudi.commissionRate),
    regulator: part(saudi.regulatorRate),
    exchange: part(saudi.exchangeRate),
    settlement: part(saudi.settlementRate),
    clearing: part(saudi.clearingRate),
    vat,
  };
  return {
    us: (name: FeeName) => usRates[name] ?? '',
    saudi: (name: FeeName) => saudiRates[name] ?? '',
    /** The values of the SEC fee, for its own sentence. */
    sec,
  };
}
