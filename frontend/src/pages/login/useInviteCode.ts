import { useEffect, useState } from 'react';
import { inviteCodeError, invitedBy } from '~/features/invite-code/invite-code';
import { usePage } from '~/lib/page/page';

/** The optional invitation code, from the address at first, submitCount by the server when it is left. */
export function useInviteCode() {
  const { locale } = usePage();
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  useEffect(() => setValue(invitedBy(window.location.search)), []);
  return {
    value,
    error,
    change(typed: string) {
      setValue(typed.trim());
      setError(undefined);
    },
    /** Says nothing where the server does not: the code is submitCount again with the login. */
    async check() {
      if (value) setError(await inviteCodeError(value, locale));
    },
  };
}
