import { checkInviteCode } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { Field } from '~/ui/form/Field';

/** The field of an invite code, with the label of its form. */
export function InviteCodeField({
  label,
  error,
  value,
  className,
  onChange,
  onBlur,
}: {
  label: string;
  error: string | undefined;
  value: string;
  className?: string | undefined;
  onChange(typed: string): void;
  onBlur?(): void;
}) {
  return (
    <Field name="inviteCode" label={label} error={error} className={className}>
      {(control) => (
        <input
          {...control}
          type="text"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          value={value}
          onChange={({ target }) => onChange(target.value.trim())}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}

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
