import { getApplyProgress, getUrls } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { createStore } from '~/lib/store';
import type { Addresses, OpeningAction } from './opening';
import { actionOf } from './opening';

/** The member's next step, and the addresses where accounts are opened and managed. */
export interface Progress {
  action: OpeningAction;
  /** Absent until loaded; the document's addresses apply meanwhile. */
  addresses?: Addresses | undefined;
}

/** The state before the account status is known. */
export const INITIAL_PROGRESS: Progress = { action: 'openAccount' };

export const progressStore = createStore(INITIAL_PROGRESS);

let progressRequest: Promise<void> | undefined;

/** Loads both for a member, once for each document. Failures keep the previous state. */
export function loadProgress(locale: Locale): Promise<void> {
  progressRequest ??= Promise.allSettled([loadAction(locale), loadAddresses(locale)]).then(
    () => undefined,
  );
  return progressRequest;
}

async function loadAction(locale: Locale) {
  const { status } = await post(getApplyProgress, {}, { locale });
  progressStore.update({ action: actionOf(status) });
}

async function loadAddresses(locale: Locale) {
  const { items } = await post(getUrls, { keys: 'AC_OPEN,AC_OPEN_US,MORE_ACCOUNT' }, { locale });
  progressStore.update({
    addresses: Object.fromEntries(items.map(({ key, value }) => [key, value])),
  });
}
