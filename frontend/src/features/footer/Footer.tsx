import { MenuLink } from '~/features/menu/MenuLink';
import { nameIn, pick } from '~/features/menu/names';
import { useMenu } from '~/features/menu/useMenu';
import type { FooterColumnJson } from '~/gen/sahm/config/v1/config_pb';
import { LICENCE_NUMBER } from '~/lib/constants';
import { formatYear } from '~/lib/format/format';
import { formatPhone } from '~/lib/format/phone';
import { useMessages } from '~/lib/messages/messages';
import { Kept } from '~/lib/page/kept';
import { usePage } from '~/lib/page/page';
import { Icon, isIconName } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import section from '~/ui/section.module.css';
import { TriangleRow } from '~/ui/TriangleRow';
import styles from './Footer.module.css';

/** The site's footer: columns, social networks, address, who is licensed. */
export function Footer() {
  const { locale, renderedAt } = usePage();
  const t = useMessages('chrome');
  const { social = [], addressUrl, ...menu } = useMenu();
  const address = pick(locale, menu.address, menu.addressEn, menu.addressSa);
  return (
    <footer data-chrome="footer" className={`${section.night} ${styles.footer}`}>
      <TriangleRow rows={2} className={styles.pattern} />
      <div className={section.inner}>
        <div className={styles.top}>
          <div className={styles.brand}>
            <p className={styles.name}>
              <Mark />
              {t('site-name')}
            </p>
            {social.length > 0 && (
              <ul className={styles.social}>
                {social.map(({ id = '', name, url }) => (
                  <li key={id}>
                    <a href={url} target="_blank" rel="noopener">
                      <span className="visually-hidden">
                        {name} {t('new-tab')}
                      </span>
                      {isIconName(id) && <Icon name={id} />}
                    </a>
                  </li>
                ))}
              </ul>
            )}
            {address && (
              <address className={styles.address}>
                <a href={addressUrl} target="_blank" rel="noopener">
                  <Icon name="pin" />
                  <span>
                    {address} <span className="visually-hidden">{t('new-tab')}</span>
                  </span>
                </a>
              </address>
            )}
          </div>
          <Kept
            in="nav"
            of={FooterColumns}
            className={styles.columns}
            aria-label={t('nav.footer')}
          />
        </div>
        <div className={styles.legal}>
          <p>{t.rich('licensed', { licence: <bdi key="licence">{LICENCE_NUMBER}</bdi> })}</p>
          <p>{t('risk')}</p>
          <p>{t('copyright', { year: formatYear(renderedAt) })}</p>
        </div>
      </div>
    </footer>
  );
}

/** The footer's columns of links: the same on all pages of a language but for the current link. */
export function FooterColumns() {
  const { footer = [] } = useMenu();
  return footer.map((column) => <Column key={column.key} column={column} />);
}

// On a phone a column is a disclosure, one open at a time; on a PC it is a heading and its list.
function Column({ column }: { column: FooterColumnJson }) {
  const { locale } = usePage();
  const name = nameIn(locale, column);
  return (
    <>
      <div className={styles.column}>
        <h2 className={styles.title}>{name}</h2>
        <Links column={column} />
      </div>
      <details name="footer" className={styles.folded}>
        <summary>
          {name}
          <Icon name="chevron-down" className={styles.chevron} />
        </summary>
        <Links column={column} />
      </details>
    </>
  );
}

function Links({ column: { items = [] } }: { column: FooterColumnJson }) {
  const { locale } = usePage();
  return (
    <ul className={styles.links}>
      {items.map((item) => (
        <li key={item.key}>
          <MenuLink item={item} className={styles.link}>
            <Name name={nameIn(locale, item)} />
          </MenuLink>
        </li>
      ))}
    </ul>
  );
}

// A number begins with no letter to tell its direction by.
function Name({ name }: { name: string }) {
  return <bdi dir={name.startsWith('+') ? 'ltr' : undefined}>{formatPhone(name)}</bdi>;
}
