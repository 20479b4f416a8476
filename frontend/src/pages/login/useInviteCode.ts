import { useEffect, useState } from 'react';
import { call } from '~/lib/api';
import { usePage } from '~/lib/page/page';

interface Validity {
  valid: boolean;
  text: string;
}

/** The optional invitation code, from the address at first, judged by the server when it is left. */
export function useInviteCode() {
  const { locale } = usePage();
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const given = new URLSearchParams(window.location.search).get('inviteCode');
    if (given && /^[A-Za-z0-9]{4,16}$/.test(given)) setValue(given);
  }, []);
  return {
    value,
    fault,
    change(typed: string) {
      setValue(typed.trim());
      setFault(undefined);
    },
    /** Says nothing where the server does not: the code is judged again with the login. */
    async check() {
      if (!value) return;
      const asked = value;
      try {
        const { valid, text } = await call<Validity>(
          '/activity/invite-code/check-validity',
          { inviteCode: asked },
          { locale },
        );
        setFault(valid ? undefined : text);
      } catch {
        setFault(undefined);
      }
    },
  };
}
