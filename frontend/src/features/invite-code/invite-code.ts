import { checkInviteCode } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** The invitation code in an address's query, as it stands there; empty where there is none. */
export function invitedBy(search: string): string {
  const given = new URLSearchParams(search).get('inviteCode') ?? '';
  return /^[A-Za-z0-9]{4,16}$/.test(given) ? given : '';
}

/**
 * What the server finds wrong with a code, in the reader's words; nothing where
 * it finds nothing or does not answer.
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
