import type { LayoutDataJson, MenuItemJson } from '~/gen/sahm/page/v1/page_pb';
import { formatClock } from './format/clock';
import type { Locale } from './locale';

/** The company's facts that texts name. */
export const LICENCE_NUMBER = '22251-25';
export const CAPITAL_SAR = 93_750_000;
export const CAPITAL_BEFORE_SAR = 56_250_000;
export const COMPLAINT_BUSINESS_DAYS = 20;
/** Support's hours in Riyadh, Sunday to Thursday. */
export const supportHours = (locale: Locale) => ({
  from: formatClock(locale, '9:30'),
  to: formatClock(locale, '17:00'),
});

/** Items of the footer's menu that the operator gives facts to, as their children. */
type FactsKey = 'licence' | 'about-us' | 'management-team';

/**
 * Facts about the company that the operator supplies with the menu: each a `name` and a
 * `description`, and where it leads.
 */
export function factsOf(
  layoutData: Pick<LayoutDataJson, 'footer'> | undefined,
  key: FactsKey,
): readonly MenuItemJson[] {
  const items = (layoutData?.footer ?? []).flatMap((column) => column.items ?? []);
  return items.find((item) => item.key === key)?.children ?? [];
}
