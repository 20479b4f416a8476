import { checkInviteCode } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** The invite code in a query, in upper case as codes are issued; empty if there is none. */
export function invitedBy(search: string): string {
  const given = new URLSearchParams(search).get('inviteCode') ?? '';
  return /^[A-Za-z0-9]{4,16}$/.test(given) ? given.toUpperCase() : '';
}

/**
 * The server's error about a code as a message; undefined if it is valid or the server does not
 * respond.
 */
export async function inviteCodeError(
  inviteCode: string,
  locale: Locale,
): Promise<string | undefined> {
  try {
    const { valid, text } = await post(checkInviteCode, { inviteCode }, { locale });
    return valid ? undefined : text;
  } catch {
    return undefined;
  }
}
