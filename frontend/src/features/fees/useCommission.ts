import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatFeeRate } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { decimal, min, toText } from './decimal';

/**
 * The commission of a product in words, or a note that the order shows it if the schedule has no
 * rate for the product (`isInOrder`). `short` is for places whose heading says commission. Undefined
 * without a schedule.
 */
export function useCommission(schedule: FeeScheduleJson | undefined, product: string) {
  const { locale } = usePage();
  const t = useMessages('products');
  const money = useMoney();
  if (!schedule) return undefined;
  const { us = {}, saudi = {} } = schedule;
  const write = (kind: 'amount' | 'contract', rate: string) => ({
    text: t(`fee.${kind}`, { rate }),
    short: t(`fee.${kind}.short`, { rate }),
    isInOrder: false,
  });
  const dollars = (rate: string) => money(rate, 'USD', { maxDecimals: 6 });
  const { commissionPerShare, commissionMin, optionsPerContractAtMost, optionsPerContractAbove } =
    us;
  if (product === 'us-options' && optionsPerContractAtMost && optionsPerContractAbove) {
    const rate = min(decimal(optionsPerContractAtMost), decimal(optionsPerContractAbove));
    return write('contract', dollars(toText(rate)));
  }
  const isUs = product.startsWith('us-');
  const isInSchedule = product !== 'us-options' && product !== 'saudi-suku-bonds';
  if (isInSchedule && isUs && commissionPerShare) {
    const share = {
      rate: dollars(commissionPerShare),
      min: commissionMin ? dollars(commissionMin) : 'none',
    };
    return { text: t('fee.share', share), short: t('fee.share.short', share), isInOrder: false };
  }
  if (isInSchedule && !isUs && saudi.commissionRate)
    return write('amount', formatFeeRate(locale, saudi.commissionRate));
  return { text: t('fee.order'), short: t('fee.order.short'), isInOrder: true };
}
