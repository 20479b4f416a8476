import { checkMember, logout } from '~/gen/operations';
import { post, postWithToast, SELL_CLIENT } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { expiryOf, NO_ABORT, sessionStore, setSeedAbort } from '~/lib/session';

/** Asks who is logged in. A failure leaves everything as it is. */
export async function checkLogin(locale: Locale, now: () => number = Date.now): Promise<void> {
  try {
    const user = await post(
      checkMember,
      { _clientType: SELL_CLIENT, _lang: locale === 'ar-sa' ? 'ar_SA' : 'en_US' },
      { locale },
    );
    sessionStore.update({ user, loginExpiredTime: expiryOf(now(), user.logined) });
  } catch {
    // Silent: the check is repeated on the next route change.
  }
}

/** Ends the session on the server, then here; says it and gives false where that fails. */
export async function logOut(locale: Locale): Promise<boolean> {
  const { success } = await postWithToast(logout, {}, { locale, noError: true });
  if (!success) return false;
  setSeedAbort(NO_ABORT);
  sessionStore.update({ loginExpiredTime: 0 });
  return true;
}
