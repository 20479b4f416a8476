import { useMemo } from 'react';
import type { MenuJson } from '~/gen/sahm/config/v1/config_pb';
import { usePage } from '~/lib/page/page';
import { withCollege } from './education';

/** The site's navigation as config and the college know it; empty while they are away. */
export function useMenu(): MenuJson {
  const { menu, college } = usePage().frame.chrome ?? {};
  return useMemo(
    () => ({ ...menu, header: withCollege(menu?.header ?? [], college ?? []) }),
    [menu, college],
  );
}
