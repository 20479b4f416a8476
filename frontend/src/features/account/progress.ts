import { getApplyProgress, getUrls } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { createStore } from '~/lib/store';
import type { Addresses, OpeningAction } from './opening';
import { actionOf } from './opening';

/** How far a member's account is, and where it is opened and kept. */
export interface Progress {
  action: OpeningAction;
  /** Absent until they are loaded: then those of the document hold. */
  addresses?: Addresses | undefined;
}

/** Until something else is known: nothing is opened. */
export const INITIAL_PROGRESS: Progress = { action: 'openAccount' };

export const progressStore = createStore(INITIAL_PROGRESS);

let asked: Promise<void> | undefined;

/**
 * Loads both for one who is logged in, once a document. Failures leave what was known.
 */
export function loadProgress(locale: Locale): Promise<void> {
  asked ??= Promise.all([loadAction(locale), loadAddresses(locale)]).then(() => undefined);
  return asked;
}

async function loadAction(locale: Locale) {
  try {
    const { status } = await post(getApplyProgress, {}, { locale });
    progressStore.update({ action: actionOf(status) });
  } catch {
    // As before.
  }
}

async function loadAddresses(locale: Locale) {
  try {
    const { items } = await post(getUrls, { keys: 'AC_OPEN,AC_OPEN_US,MORE_ACCOUNT' }, { locale });
    progressStore.update({
      addresses: Object.fromEntries(items.map(({ key, value }) => [key, value])),
    });
  } catch {
    // As before.
  }
}
