import {
  accountHref,
  currentOf,
  descriptionOf,
  hasOverview,
  nameOf,
  otherLanguageHref,
} from '../../page/links';
import { TEXTS } from '../../page/texts';
import { Icon, Mark } from './Icon';
import { MenuBadge, MenuLink } from './MenuLink';
import { SiteLink } from './SiteLink';
import { SlideMenu } from './SlideMenu';

export function Header({ items, current }) {
  return (
    <header data-chrome="header" data-tone="page" className="header">
      <div className="header-inner">
        <SiteLink to="/" current={current} className="logo">
          <Mark />
          <span className="logo-name">{TEXTS.siteName}</span>
        </SiteLink>
        <nav className="header-nav" aria-label={TEXTS.navMain}>
          <ul className="header-items">
            {items.map((item) => (
              <li
                key={item.key}
                className={item.url === '/download' ? 'header-doubled' : undefined}
              >
                {item.children?.length ? (
                  <Disclosure item={item} links={item.children} current={current} />
                ) : (
                  <MenuLink item={item} current={current} className="header-item" plain />
                )}
              </li>
            ))}
          </ul>
        </nav>
        <div className="header-actions">
          <LanguageSwitch current={current} className="header-action header-language" />
          <SiteLink
            to="/download"
            current={current}
            className="header-action header-icon header-wide"
          >
            <Icon name="download" />
            <span className="visually-hidden">{TEXTS.download}</span>
          </SiteLink>
          <a href={accountHref('login', current)} className="header-action header-wide">
            {TEXTS.logIn}
          </a>
          <OpenAccount current={current} className="button button-primary header-open" />
          <SlideMenu items={items} current={current} />
        </div>
      </div>
    </header>
  );
}

export function LanguageSwitch({ current, className }) {
  return (
    <a className={className} href={otherLanguageHref(current)} hrefLang="ar-SA" data-document="">
      <Icon name="globe" />
      <span lang="ar-SA" dir="rtl">
        {TEXTS.otherLanguage}
      </span>
    </a>
  );
}

export function OpenAccount({ current, className }) {
  return (
    <a href={accountHref('openAccount', current)} className={className} data-document="">
      {TEXTS.openAccount}
    </a>
  );
}

function Disclosure({ item, links, current }) {
  const large = item.dropdownItemSize === 'large';
  const here = [item, ...links].some(({ url }) => url && currentOf(url, current));
  return (
    <details name="header-menu" className="header-disclosure">
      <summary className="header-item" data-here={here || undefined}>
        {nameOf(item)}
        <MenuBadge item={item} />
        <Icon name="chevron-down" className="header-chevron" />
      </summary>
      <div className={large ? 'header-panel header-large' : 'header-panel'}>
        {hasOverview(item) && (
          <MenuLink item={item} current={current} className="header-overview">
            {TEXTS.overview(nameOf(item))}
            <Icon name="arrow-forward" />
          </MenuLink>
        )}
        <ul className="header-links">
          {links.map((link) => (
            <li key={link.key}>
              <MenuLink item={link} current={current} className="header-link">
                <span className="header-words">
                  <span className="header-name">{nameOf(link)}</span>
                  {descriptionOf(link) && (
                    <span className="header-description">{descriptionOf(link)}</span>
                  )}
                </span>
              </MenuLink>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
