import { reloadOnce } from '~/lib/import-or-reload';

/**
 * Recovers from a file of the first load that could not be loaded: reloads the document once. Gives
 * false where the document stays as the server wrote it; a shell then shows its text.
 */
export function recoverFromLoadError(): boolean {
  if (reloadOnce()) return true;
  document.querySelector('main[data-shell] > [hidden]')?.removeAttribute('hidden');
  return false;
}
