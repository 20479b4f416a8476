import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useAppAddress } from '~/lib/links/useAppAddress';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { QrCode } from '~/ui/qr/QrCode';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import styles from './GetApp.module.css';

const STORES = ['ios', 'android', 'huawei'] as const;

/** Links to the download page and to the stores from config. */
export function GetApp() {
  const { frame } = usePage();
  const t = useMessages('home');
  const common = useMessages('common');
  const stores = frame.layoutData?.stores ?? [];
  const address = useAppAddress();
  return (
    <Section className={styles.section} aria-labelledby="home-app">
      <Section as="div" night className={styles.panel}>
        <div className={styles.words}>
          <h2 id="home-app" className={headings.medium}>
            {t('app.title')}
          </h2>
          <p className={styles.text}>{t('app.text')}</p>
          <p className={rows.actions}>
            <SiteLink to={pathTo('download')} className={buttonClass('primary')}>
              <Icon name="download" />
              {t('app.action')}
            </SiteLink>
            <span className={styles.stores}>
              {STORES.map((id) => {
                const { name, url } = stores.find((known) => known.id === id) ?? {};
                return (
                  url && (
                    <a key={id} href={url} target="_blank" rel="noopener" className={styles.store}>
                      <bdi>{name}</bdi>
                      <span className="visually-hidden"> {common('new-tab')}</span>
                    </a>
                  )
                );
              })}
            </span>
          </p>
        </div>
        <QrCode text={address} label={t('app.qr')} caption={t('app.scan')}>
          <Mark />
        </QrCode>
      </Section>
    </Section>
  );
}
