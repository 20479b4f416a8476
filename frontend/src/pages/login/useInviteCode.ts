import { useEffect, useState } from 'react';
import { inviteCodeFault, invitedBy } from '~/features/invite-code/invite-code';
import { usePage } from '~/lib/page/page';

/** The optional invitation code, from the address at first, judged by the server when it is left. */
export function useInviteCode() {
  const { locale } = usePage();
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<string>();
  useEffect(() => setValue(invitedBy(window.location.search)), []);
  return {
    value,
    fault,
    change(typed: string) {
      setValue(typed.trim());
      setFault(undefined);
    },
    /** Says nothing where the server does not: the code is judged again with the login. */
    async check() {
      if (value) setFault(await inviteCodeFault(value, locale));
    },
  };
}
