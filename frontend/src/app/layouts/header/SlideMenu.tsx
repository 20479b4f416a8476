import { useId, useRef } from 'react';
import { AccountEntries } from '~/features/account/AccountEntries';
import { OpenAccount } from '~/features/account/OpenAccount';
import { useAccountLinks } from '~/features/account/useAccountLinks';
import { useMember } from '~/features/account/useMember';
import type { MenuItemJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Dialog } from '~/ui/Dialog';
import { Icon } from '~/ui/Icon';
import { TriangleRow } from '~/ui/TriangleRow';
import { LanguageSwitch } from './LanguageSwitch';
import { hasOverview, MenuBadge, MenuLink, NavLink } from './MenuLink';
import styles from './SlideMenu.module.css';

/**
 * The menu of small screens: a modal dialog that slides in (400 ms). One section is open at a time;
 * following a link closes it. The button's `command` attribute opens it without scripts; the click
 * handler serves browsers without command support.
 */
export function SlideMenu() {
  const { layoutData } = usePage().frame;
  const t = useMessages('common');
  const { login } = useAccountLinks();
  const { logined } = useMember();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        onClick={() => {
          if (!('commandForElement' in HTMLButtonElement.prototype)) dialog.current?.showModal();
        }}
        {...{ command: 'show-modal', commandfor: id }}
      >
        <Icon name="menu" />
        <span className="visually-hidden">{t('menu.open')}</span>
      </button>
      <Dialog
        ref={dialog}
        id={id}
        closesOnLink
        className={styles.dialog}
        aria-label={t('menu.title')}
      >
        <div className={styles.sheet}>
          <div className={styles.bar}>
            <LanguageSwitch className={styles.language} />
            <form method="dialog">
              <button type="submit" className={styles.button}>
                <Icon name="close" />
                <span className="visually-hidden">{t('menu.close')}</span>
              </button>
            </form>
          </div>
          <nav className={styles.nav} aria-label={t('menu.title')}>
            <ul>
              {layoutData?.header?.map((item) => (
                <li key={item.key} className={styles.entry}>
                  <Entry item={item} />
                </li>
              ))}
            </ul>
          </nav>
          <div className={styles.foot}>
            <OpenAccount className={buttonClass('primary')} />
            {logined ? (
              <ul className={styles.account} aria-label={t('account.title')}>
                <AccountEntries className={styles.child} />
              </ul>
            ) : (
              <a href={login} className={buttonClass('quiet')}>
                {t('log-in')}
              </a>
            )}
            <NavLink to={pathTo('download')} className={styles.download}>
              <Icon name="download" />
              {t('download-app')}
            </NavLink>
          </div>
          <TriangleRow className={styles.pattern} />
        </div>
      </Dialog>
    </>
  );
}

// A link, or a disclosure of links.
function Entry({ item }: { item: MenuItemJson }) {
  const t = useMessages('common');
  if (!item.children?.length) return <MenuLink item={item} className={styles.item} />;
  return (
    <details name="slide-menu">
      <summary className={styles.item}>
        <span>
          {item.name} <MenuBadge item={item} />
        </span>
        <Icon name="chevron-down" />
      </summary>
      <ul className={styles.children}>
        {hasOverview(item) && (
          <li>
            <MenuLink item={item} className={styles.child}>
              {t('nav.overview', { name: item.name ?? '' })}
            </MenuLink>
          </li>
        )}
        {item.children.map((child) => (
          <li key={child.key}>
            <MenuLink item={child} className={styles.child} />
          </li>
        ))}
      </ul>
    </details>
  );
}
