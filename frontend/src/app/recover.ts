import { reloadOnce } from '~/lib/import-or-reload';

/**
 * Reloads the document once if a file of the first load failed. Returns false if the document stays
 * as the server rendered it; a shell then shows its message.
 */
export function recoverFromLoadError(): boolean {
  if (reloadOnce()) return true;
  document.querySelector('main[data-shell] > [hidden]')?.removeAttribute('hidden');
  return false;
}
