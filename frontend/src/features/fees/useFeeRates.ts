import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatFeeRate, formatPercent } from '~/lib/format/format';
import type { Market } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { decimal, toText } from './decimal';
import { type FeeName, SAUDI_FEES } from './order';

/** A fee in words. */
interface FeeRate {
  /** For instance `$0.003 per share`, `0.105% of the amount`. */
  rate: string;
  /** The percentage alone, for texts that say what it applies to. */
  percent?: string;
  /** For instance `at least $0.01`. */
  limits?: string;
}

/** Describes each fee in words, from the schedule. */
export function useFeeRates(schedule: FeeScheduleJson) {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('fees');
  const { us = {}, saudi = {}, vatRate = '0' } = schedule;
  const dollars = (text = '0') => money(text, 'USD', { maxDecimals: 6 });
  const percent = (rate = '0') => formatPercent(locale, rate);
  const perShare = (rate = '0') => t('rate.per-share', { rate: dollars(rate) });
  const part = (text = '0') => {
    const rate = formatFeeRate(locale, text);
    return { rate: t('rate.of-amount', { rate }), percent: rate };
  };
  const parts = SAUDI_FEES.map((name) => saudi[`${name}Rate`]);
  const atLeast = (min = '0') => t('limits.least', { min: dollars(min) });
  const vat = {
    rate: t('rate.of-commission', { rate: percent(vatRate) }),
    percent: percent(vatRate),
  };

  const sec = {
    rate: dollars(us.secPerShare),
    min: dollars(us.secMin),
    max: dollars(us.secMax),
  };

  const rates: Record<Market, Partial<Record<FeeName, FeeRate>>> = {
    us: {
      commission: {
        rate: perShare(us.commissionPerShare),
        limits: t('limits.most.part', {
          min: dollars(us.commissionMin),
          max: percent(us.commissionMaxRate),
        }),
      },
      settlement: { rate: perShare(us.settlementPerShare), limits: atLeast(us.settlementMin) },
      sec: { rate: perShare(us.secPerShare), limits: t('limits.most', sec) },
      cat: { rate: perShare(us.catPerShare), limits: atLeast(us.catMin) },
      vat,
    },
    saudi: {
      ...Object.fromEntries(SAUDI_FEES.map((name) => [name, part(saudi[`${name}Rate`])])),
      vat,
    },
  };
  const inWords = (market: Market) => (name: FeeName) => {
    const { rate = '', limits } = rates[market][name] ?? {};
    return limits ? t('rate.limited', { rate, limits }) : rate;
  };
  return {
    us: inWords('us'),
    saudi: inWords('saudi'),
    /** The parts of a fee, for tables. */
    partsOf: (market: Market, name: FeeName): FeeRate => rates[market][name] ?? { rate: '' },
    /**
     * The fees of a Saudi order before VAT and the discount, as one percentage; undefined if the
     * schedule lacks one.
     */
    saudiTotal: parts.every((text) => text !== undefined)
      ? formatFeeRate(locale, toText(parts.reduce((sum, text) => sum + decimal(text), 0n)))
      : undefined,
    /** The values of the SEC fee, for the sentence about it. */
    sec,
  };
}
