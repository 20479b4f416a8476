import { MenuLink } from '~/app/layouts/header/MenuLink';
import { FEEDBACK_PATH } from '~/features/help/paths';
import type { MenuColumnJson } from '~/gen/sahm/page/v1/page_pb';
import { COMPLAINT_BUSINESS_DAYS, factsOf, LICENCE_NUMBER } from '~/lib/company';
import { formatPhone } from '~/lib/format/digits';
import { formatYear } from '~/lib/format/format';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon, isIconName } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { Section } from '~/ui/Section';
import secondary from '~/ui/secondary.module.css';
import { TriangleRow } from '~/ui/TriangleRow';
import styles from './Footer.module.css';

/** The site's footer: columns, social networks, address, company facts and licence. */
export function Footer() {
  const { frame, renderedAt } = usePage();
  const t = useMessages('common');
  const { footer = [], social = [], address, addressUrl } = frame.layoutData ?? {};
  return (
    <Section as="footer" night data-chrome="footer" className={`${styles.footer} screen-only`}>
      <TriangleRow rows={2} className={styles.pattern} />
      <Section as="div">
        {/* The login page has no links besides the legal information. */}
        {frame.page !== 'login' && (
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
            <nav className={styles.columns} aria-label={t('nav.footer')}>
              {footer.map((column) => (
                <Column key={column.key} column={column} />
              ))}
            </nav>
          </div>
        )}
        <div className={styles.legal}>
          <TrustBand />
          <p>{t.rich('licensed', { licence: <bdi>{LICENCE_NUMBER}</bdi> })}</p>
          <p>{t('risk')}</p>
          <p>{t('copyright', { year: formatYear(renderedAt) })}</p>
        </div>
      </Section>
    </Section>
  );
}

// A column is a disclosure on phones, one open at a time, and a heading with a list on PCs.
function Column({ column }: { column: MenuColumnJson }) {
  const { name } = column;
  return (
    <>
      <div className={styles.column}>
        <h2 className={styles.title}>{name}</h2>
        <Links column={column} />
      </div>
      <details name="footer" className={styles.folded}>
        <summary>
          {name}
          <Icon name="chevron-down" className={secondary.text} />
        </summary>
        <Links column={column} />
      </details>
    </>
  );
}

function Links({ column: { items = [] } }: { column: MenuColumnJson }) {
  return (
    <ul className={styles.links}>
      {items.map((item) => (
        <li key={item.key}>
          <MenuLink item={item} className={styles.link}>
            <Name name={item.name ?? ''} />
          </MenuLink>
        </li>
      ))}
    </ul>
  );
}

// A telephone number has no letter that determines its direction.
function Name({ name }: { name: string }) {
  return <bdi dir={name.startsWith('+') ? 'ltr' : undefined}>{formatPhone(name)}</bdi>;
}

/** The legal entity, its regulator, custody of assets and how to complain. */
function TrustBand() {
  const t = useMessages('common');
  const { facts, note } = factsOf(usePage().frame.layoutData, 'licence');
  return (
    <section aria-label={t('trust.title')}>
      <dl className={styles.trust}>
        {facts.map(({ key, name, description, url = '/', newTab }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>
              <SiteLink to={url} target={newTab ? '_blank' : undefined} className={styles.link}>
                <bdi>{description}</bdi>
                {newTab && <span className="visually-hidden"> {t('new-tab')}</span>}
              </SiteLink>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('trust.custody')}</dt>
          <dd>{t('trust.custody.text')}</dd>
        </div>
        <div>
          <dt>{t('trust.complaints')}</dt>
          <dd>
            {t('trust.complaints.text', { days: COMPLAINT_BUSINESS_DAYS })}{' '}
            <SiteLink to={FEEDBACK_PATH}>{t('trust.complaints.link')}</SiteLink>
          </dd>
        </div>
      </dl>
      {note && facts.length > 0 && <p className={styles.note}>{note}</p>}
    </section>
  );
}

/** The footer of the app layout inside the native app. */
export function AppFooter() {
  const { renderedAt } = usePage();
  const t = useMessages('common');
  return (
    <footer data-chrome="app-footer" className={styles.appFooter}>
      <Mark className={styles.appMark} />
      <p>{t.rich('licensed', { licence: <bdi>{LICENCE_NUMBER}</bdi> })}</p>
      <p>{t('copyright', { year: formatYear(renderedAt) })}</p>
    </footer>
  );
}
