import { reloadOnce } from '~/lib/chunks';

/**
 * The application's own code could not be loaded: the document is loaded again, or stays as the
 * server wrote it. A shell (contract §5), in which there is nothing to read, says what is the matter.
 * False where it stays.
 */
export function reloadUnloaded(): boolean {
  if (reloadOnce()) return true;
  document.querySelector('main[data-shell] > [hidden]')?.removeAttribute('hidden');
  return false;
}
