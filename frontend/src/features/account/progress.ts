import type { Addresses, OpeningAction } from './opening';

/** How far a member's account is, and where it is opened and kept. */
export interface Progress {
  action: OpeningAction;
  /** Absent until they are loaded: then those of the document hold. */
  addresses?: Addresses;
}

/** Until something else is known: nothing is opened. */
export const UNKNOWN: Progress = { action: 'openAccount' };

let progress = UNKNOWN;
const listeners = new Set<() => void>();

export function currentProgress(): Progress {
  return progress;
}

export function onProgress(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Notes what became known. */
export function changeProgress(part: Partial<Progress>) {
  progress = { ...progress, ...part };
  for (const changed of listeners) changed();
}
