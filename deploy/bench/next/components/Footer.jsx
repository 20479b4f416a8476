import { yearOf } from '../../page/formats';
import { nameOf } from '../../page/links';
import { TEXTS } from '../../page/texts';
import { Icon, Mark, TriangleRow } from './Icon';
import { MenuLink } from './MenuLink';

export function Footer({ menu, renderedAt, current }) {
  const { footer = [], social = [], addressUrl } = menu;
  const [before, licence, after] = TEXTS.licensed;
  return (
    <footer data-chrome="footer" className="section-night footer">
      <TriangleRow rows={2} className="footer-pattern" />
      <div className="section-inner">
        <div className="footer-top">
          <div className="footer-brand">
            <p className="footer-name">
              <Mark />
              {TEXTS.siteName}
            </p>
            <ul className="footer-social">
              {social.map(({ id, name, url }) => (
                <li key={id}>
                  <a href={url} target="_blank" rel="noopener">
                    <span className="visually-hidden">
                      {name} {TEXTS.newTab}
                    </span>
                    <Icon name={id} />
                  </a>
                </li>
              ))}
            </ul>
            <address className="footer-address">
              <a href={addressUrl} target="_blank" rel="noopener">
                <Icon name="pin" />
                <span>
                  {menu.addressEn || menu.address}{' '}
                  <span className="visually-hidden">{TEXTS.newTab}</span>
                </span>
              </a>
            </address>
          </div>
          <nav className="footer-columns" aria-label={TEXTS.navFooter}>
            {footer.map((column) => (
              <Column key={column.key} column={column} current={current} />
            ))}
          </nav>
        </div>
        <div className="footer-legal">
          <p>
            {before}
            <bdi>{licence}</bdi>
            {after}
          </p>
          <p>{TEXTS.risk}</p>
          <p>{TEXTS.copyright(yearOf(renderedAt))}</p>
        </div>
      </div>
    </footer>
  );
}

function Column({ column, current }) {
  return (
    <>
      <div className="footer-column">
        <h2 className="footer-title">{nameOf(column)}</h2>
        <Links items={column.items} current={current} />
      </div>
      <details name="footer" className="footer-folded">
        <summary>
          {nameOf(column)}
          <Icon name="chevron-down" className="footer-chevron" />
        </summary>
        <Links items={column.items} current={current} />
      </details>
    </>
  );
}

function Links({ items = [], current }) {
  return (
    <ul className="footer-links">
      {items.map((item) => (
        <li key={item.key}>
          <MenuLink item={item} current={current} className="footer-link">
            <bdi>{nameOf(item)}</bdi>
          </MenuLink>
        </li>
      ))}
    </ul>
  );
}
