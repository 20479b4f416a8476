import { useId } from 'react';
import { accountHref, hasOverview, nameOf } from '../../page/links';
import { TEXTS } from '../../page/texts';
import { LanguageSwitch, OpenAccount } from './Header';
import { Icon, TriangleRow } from './Icon';
import { MenuBadge, MenuLink } from './MenuLink';
import { SiteLink } from './SiteLink';

/** The menu of small screens. */
export function SlideMenu({ items, current }) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="slide-button"
        aria-haspopup="dialog"
        {...{ command: 'show-modal', commandfor: id }}
      >
        <Icon name="menu" />
        <span className="visually-hidden">{TEXTS.menuOpen}</span>
      </button>
      <dialog id={id} className="slide-dialog" aria-label={TEXTS.menuTitle}>
        <div className="slide-sheet">
          <div className="slide-bar">
            <LanguageSwitch current={current} className="slide-language" />
            <form method="dialog">
              <button type="submit" className="slide-button">
                <Icon name="close" />
                <span className="visually-hidden">{TEXTS.menuClose}</span>
              </button>
            </form>
          </div>
          <nav className="slide-nav" aria-label={TEXTS.navMain}>
            <ul>
              {items.map((item) => (
                <li key={item.key} className="slide-entry">
                  {item.children?.length ? (
                    <Section item={item} current={current} />
                  ) : (
                    <MenuLink item={item} current={current} className="slide-item" />
                  )}
                </li>
              ))}
            </ul>
          </nav>
          <div className="slide-foot">
            <OpenAccount current={current} className="button button-primary" />
            <a href={accountHref('login', current)} className="button button-quiet">
              {TEXTS.logIn}
            </a>
            <SiteLink to="/download" current={current} className="slide-download">
              <Icon name="download" />
              {TEXTS.download}
            </SiteLink>
          </div>
          <TriangleRow className="slide-pattern" />
        </div>
      </dialog>
    </>
  );
}

function Section({ item, current }) {
  return (
    <details name="slide-menu">
      <summary className="slide-item">
        <span>
          {nameOf(item)} <MenuBadge item={item} />
        </span>
        <Icon name="chevron-down" className="slide-chevron" />
      </summary>
      <ul className="slide-children">
        {hasOverview(item) && (
          <li>
            <MenuLink item={item} current={current} className="slide-child">
              {TEXTS.overview(nameOf(item))}
            </MenuLink>
          </li>
        )}
        {item.children.map((child) => (
          <li key={child.key}>
            <MenuLink item={child} current={current} className="slide-child" />
          </li>
        ))}
      </ul>
    </details>
  );
}
