import type { LayoutDataJson, MenuItemJson } from '~/gen/sahm/page/v1/page_pb';

/** Items of the footer menu whose children are facts from the operator. */
type FactsKey = 'licence' | 'about-us' | 'management-team';

/**
 * Facts about the company from the menu configuration: each with `name`, `description` and link.
 */
export function factsOf(
  layoutData: Pick<LayoutDataJson, 'footer'> | undefined,
  key: FactsKey,
): readonly MenuItemJson[] {
  const items = (layoutData?.footer ?? []).flatMap((column) => column.items ?? []);
  return items.find((item) => item.key === key)?.children ?? [];
}
