import type { LayoutDataJson, MenuItemJson } from '~/gen/sahm/page/v1/page_pb';
import { formatClock } from './format/clock';
import type { Locale } from './locale';

/** Facts about the company that texts mention. */
export const LICENCE_NUMBER = '22251-25';
export const CAPITAL_SAR = 93_750_000;
export const CAPITAL_BEFORE_SAR = 56_250_000;
export const COMPLAINT_BUSINESS_DAYS = 20;
/** Support hours in Riyadh, Sunday to Thursday. */
export const supportHours = (locale: Locale, style?: 'short') => ({
  from: formatClock(locale, '09:30', style),
  to: formatClock(locale, '17:00', style),
});

/** Items of the footer menu whose children are facts from the operator. */
type FactsKey = 'licence' | 'about-us' | 'management-team';

/**
 * Facts about the company from the menu configuration: each with `name`, `description` and link.
 * `note` applies to all of them, for instance that they are samples.
 */
export function factsOf(
  layoutData: Pick<LayoutDataJson, 'footer'> | undefined,
  key: FactsKey,
): { facts: readonly MenuItemJson[]; note?: string | undefined } {
  const items = (layoutData?.footer ?? []).flatMap((column) => column.items ?? []);
  const { children = [], description } = items.find((item) => item.key === key) ?? {};
  return { facts: children, note: description };
}
