import { toastError } from '~/lib/api';
import { importOrReload } from '~/lib/import-or-reload';
import type { Locale } from '~/lib/locale';

/** Imports code on an interaction; shows a toast if it fails. */
export function importOnInteraction<T>(
  locale: Locale,
  load: () => Promise<T>,
): Promise<T | undefined> {
  return importOrReload(load, () => toastError(navigator.onLine ? 'service' : 'timeout', locale));
}
