import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import type { OpeningAction } from './opening';
import { useAccountLinks } from './useAccountLinks';
import { useMember } from './useMember';

const LABELS = {
  signUp: 'open-account',
  openAccount: 'open-account',
  modifyAccountInfo: 'account.correct',
  reviewAccount: 'account.review',
  download: 'download-app',
} as const satisfies Record<OpeningAction, string>;

/**
 * The way to an account, named and addressed by how far the member is (specification §4). One who
 * has an account sees `opened` in its place, or nothing.
 */
export function OpenAccount({
  className,
  opened = null,
}: {
  className: string;
  opened?: ReactNode;
}) {
  const t = useMessages('chrome');
  const member = useMember();
  const { openAccount, action } = useAccountLinks();
  if (member.opened) return opened;
  return (
    <a href={openAccount} className={className} data-document="">
      {t(LABELS[action])}
    </a>
  );
}
