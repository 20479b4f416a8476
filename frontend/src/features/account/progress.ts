import { createStore } from '~/lib/store';
import type { Addresses, OpeningAction } from './opening';

/** How far a member's account is, and where it is opened and kept. */
export interface Progress {
  action: OpeningAction;
  /** Absent until they are loaded: then those of the document hold. */
  addresses?: Addresses | undefined;
}

/** Until something else is known: nothing is opened. */
export const INITIAL_PROGRESS: Progress = { action: 'openAccount' };

export const progressStore = createStore(INITIAL_PROGRESS);
