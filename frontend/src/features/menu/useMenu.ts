import type { MenuJson } from '~/gen/sahm/config/v1/config_pb';
import { usePage } from '~/lib/page/page';

/** The site's navigation as config knows it; empty while config is away. */
export function useMenu(): MenuJson {
  return usePage().frame.chrome?.menu ?? {};
}
