import type { MenuJson, NavigationItemJson } from '~/gen/sahm/config/v1/config_pb';
import type { ChromeJson } from '~/gen/sahm/page/v1/page_pb';
import { withCollege } from './education';

/** The site's navigation as config and the college know it; empty while they are away. */
export function menuOf({ menu, college = [] }: ChromeJson = {}): MenuJson {
  return { ...menu, header: withCollege(menu?.header ?? [], college) };
}

/** Where the entries of header and footer lead to. */
export function targetsOf({ header = [], footer = [] }: MenuJson): string[] {
  const targets = (item: NavigationItemJson): string[] => [
    item.url ?? '/',
    ...(item.children ?? []).flatMap(targets),
  ];
  return [...header, ...footer.flatMap(({ items = [] }) => items)].flatMap(targets);
}
