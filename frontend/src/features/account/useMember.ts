import { usePage } from '~/lib/page/page';
import { sessionStore } from '~/lib/session';
import { useStore } from '~/lib/store';

/**
 * Who is logged in, according to the document until the login check has answered. The Sahm ID is
 * known after hydration, `id` after the check.
 */
export interface Member {
  logined: boolean;
  opened: boolean;
  openedSaudi: boolean;
  /** The Sahm ID; empty while there is none. */
  hsNo: string;
  /** Empty until the login check has answered. */
  id: string;
  /** The login check has answered in this document. */
  checked: boolean;
}

export function useMember(): Member {
  const { frame } = usePage();
  const user = useStore(sessionStore, (session) => session.user, undefined);
  const documentHsNo = useStore(sessionStore, (session) => session.documentHsNo, undefined);
  const member = user ?? frame.member;
  return {
    logined: user ? user.logined : member !== undefined,
    opened: member?.opened ?? false,
    openedSaudi: member?.openedSaudi ?? false,
    hsNo: (user ? user.hsNo : documentHsNo) ?? '',
    id: user?.mid ?? '',
    checked: user !== undefined,
  };
}
