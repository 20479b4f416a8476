import { checkMember, logout } from '~/gen/operations';
import { post, postWithToast, SELL_CLIENT } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { expiryOf, NO_ABORT, sessionStore, setSeedAbort } from '~/lib/session';

/** Checks who is logged in. A failure changes nothing. */
export async function checkLogin(locale: Locale, now: () => number = Date.now): Promise<void> {
  try {
    const user = await post(
      checkMember,
      { _clientType: SELL_CLIENT, _lang: locale === 'ar-sa' ? 'ar_SA' : 'en_US' },
      { locale },
    );
    sessionStore.update({ user, loginExpiredTime: expiryOf(now(), user.logined) });
  } catch {
    // Ignored: the check is repeated on the next navigation.
  }
}

/** Ends the session on the server, then in the browser. Shows a failure and returns false. */
export async function logOut(locale: Locale): Promise<boolean> {
  const { success } = await postWithToast(logout, {}, { locale, noError: true });
  if (!success) return false;
  setSeedAbort(NO_ABORT);
  sessionStore.update({ loginExpiredTime: 0 });
  return true;
}
