import type { MouseEvent, ReactNode } from 'react';
import { usePaths } from '~/lib/links/paths';
import type { Market } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { openingLabel } from './opening';
import { useAccountLinks } from './useAccountLinks';
import { useMember } from './useMember';
import { withNativeApp } from './with-native-app';

/**
 * The link to open an account, depending on the member's account status. Members with an account
 * see `opened` instead, or nothing. In the app, the app logs in and opens accounts; the link is the
 * fallback.
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
  const t = useMessages('common');
  const member = useMember();
  const { current, href } = usePaths();
  const { openAccount, action, addresses } = useAccountLinks(market);
  if (member.opened) return opened;
  // The page that explains account opening does not link to itself.
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
