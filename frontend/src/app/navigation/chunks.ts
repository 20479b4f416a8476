import { CHUNK_RELOAD_GUARD } from '~/lib/constants';

const KEY = 'sahm-chunk-reload';

/**
 * Whether the page may be reloaded because code could not be loaded: at most once a minute
 * (specification §9), else a broken build would reload for ever. Says yes once and notes it.
 */
export function mayReload(now: number, storage: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  try {
    const last = Number(storage.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    if (now - last < CHUNK_RELOAD_GUARD) return false;
    storage.setItem(KEY, String(now));
    return true;
  } catch {
    // Without storage nothing would stop the second reload.
    return false;
  }
}
