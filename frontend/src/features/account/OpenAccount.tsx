import type { MouseEvent, ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { askApp } from './askApp';
import type { Market, OpeningAction } from './opening';
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
 * has an account sees `opened` in its place, or nothing. In the app it is the app that logs in and
 * opens accounts; the link is what remains where it does not.
 */
export function OpenAccount({
  className,
  market = 'saudi',
  opened = null,
}: {
  className: string;
  market?: Market;
  opened?: ReactNode;
}) {
  const { locale, platform } = usePage();
  const t = useMessages('chrome');
  const member = useMember();
  const { openAccount, action, addresses } = useAccountLinks(market);
  if (member.opened) return opened;

  function onClick(event: MouseEvent) {
    if (platform !== 'app' || action === 'download') return;
    event.preventDefault();
    askApp(openAccount, ({ logInByApp, openByApp }) =>
      action === 'signUp'
        ? logInByApp(window, window.location, openAccount)
        : openByApp(window, window.location, { locale, addresses, market }, openAccount),
    );
  }
  return (
    <a href={openAccount} className={className} data-document="" onClick={onClick}>
      {t(LABELS[action])}
    </a>
  );
}
