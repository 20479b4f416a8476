import type { LayoutDataJson, MenuItemJson } from '~/gen/sahm/page/v1/page_pb';

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
