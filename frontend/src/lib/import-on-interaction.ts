import { toastError } from '~/lib/api';
import { importOrReload } from '~/lib/import-or-reload';
import type { Locale } from '~/lib/locale';

/** Code that comes with a press; a failed load is reported to the visitor. */
export function importOnInteraction<T>(
  locale: Locale,
  load: () => Promise<T>,
): Promise<T | undefined> {
  return importOrReload(load, () => toastError(navigator.onLine ? 'service' : 'timeout', locale));
}
