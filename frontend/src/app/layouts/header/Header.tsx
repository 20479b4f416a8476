import { useSyncExternalStore } from 'react';
import { OpenAccount } from '~/features/account/OpenAccount';
import { useAccountLinks } from '~/features/account/useAccountLinks';
import { useMember } from '~/features/account/useMember';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { onScroll } from '~/ui/scroll';
import { AccountMenu } from './AccountMenu';
import styles from './Header.module.css';
import { HeaderNav } from './HeaderNav';
import { LanguageSwitch } from './LanguageSwitch';
import { NavLink } from './MenuLink';
import { SlideMenu } from './SlideMenu';

/** The site's header: sticky, dark at the top of home. */
export function Header() {
  const { layout } = usePage();
  const t = useMessages('common');
  const { login } = useAccountLinks();
  const { logined } = useMember();
  const tone = useHeaderTone(layout);
  return (
    <header data-chrome="header" data-tone={tone} className={`${styles.header} screen-only`}>
      <div className={styles.inner}>
        <NavLink to={pathTo('home')} className={styles.logo}>
          <Mark />
          <span className={styles.logoName}>{t('site-name')}</span>
        </NavLink>
        <HeaderNav />
        <div className={styles.actions}>
          <LanguageSwitch className={`${styles.action} ${styles.language}`} />
          <NavLink
            to={pathTo('download')}
            className={`${styles.action} ${styles.icon} ${styles.wide}`}
          >
            <Icon name="download" />
            <span className="visually-hidden">{t('download-app')}</span>
          </NavLink>
          {logined ? (
            <AccountMenu className={styles.wide ?? ''} />
          ) : (
            <a href={login} className={`${styles.action} ${styles.wide}`}>
              {t('log-in')}
            </a>
          )}
          <OpenAccount className={`${buttonClass('primary')} ${styles.open}`} />
          <SlideMenu />
        </div>
      </div>
    </header>
  );
}

const INSET_PX = 100;
const MAX_LAG_MS = 100;

/**
 * `night` at the top of home, until the page is scrolled past the viewport's height minus 100 px;
 * then the page's own tone. The top is `night` in windows of any height, such as that of a full-page
 * screenshot.
 */
function useHeaderTone(layout: string): 'night' | 'page' {
  const passed = useSyncExternalStore(
    onSticky,
    () => scrollY > Math.max(0, innerHeight - INSET_PX),
    () => false,
  );
  return layout === 'home' && !passed ? 'night' : 'page';
}

function onSticky(changed: () => void) {
  return onScroll(changed, MAX_LAG_MS);
}
