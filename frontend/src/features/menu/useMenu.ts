import type { MenuJson } from '~/gen/sahm/config/v1/config_pb';
import { usePage } from '~/lib/page/page';
import { menuOf } from './menu';

/** The menu of the page that is shown. */
export function useMenu(): MenuJson {
  return menuOf(usePage().frame.chrome);
}
