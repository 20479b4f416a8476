import type { MouseEvent, ReactNode } from 'react';
import { usePaths } from '~/lib/links/paths';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { type Market, openingLabel } from './opening';
import { useAccountLinks } from './useAccountLinks';
import { useMember } from './useMember';
import { withNativeApp } from './with-native-app';

/**
 * The way to an account, named and addressed by how far the member is. One who
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
  const { current, href } = usePaths();
  const { openAccount, action, addresses } = useAccountLinks(market);
  if (member.opened) return opened;
  // The page that explains how an account is opened has no link to itself.
  if (platform !== 'app' && openAccount.startsWith(`${href(current)}?`)) return null;

  function onClick(event: MouseEvent) {
    if (platform !== 'app' || action === 'download') return;
    event.preventDefault();
    withNativeApp(openAccount, ({ nativeLogin, openByApp }) =>
      action === 'signUp'
        ? nativeLogin(window, window.location, openAccount)
        : openByApp(window, window.location, { locale, addresses, market }, openAccount),
    );
  }
  return (
    <a href={openAccount} className={className} data-document="" onClick={onClick}>
      {t(openingLabel(action))}
    </a>
  );
}
