import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { STORES, useDevice } from './device';
import styles from './StoreLinks.module.css';
import { StoreSign } from './StoreSign';

/**
 * The app stores from config with the version each offers; the store of the visitor's device is
 * marked.
 */
export function StoreLinks() {
  const { frame } = usePage();
  const t = useMessages('download');
  const common = useMessages('chrome');
  const device = useDevice();
  const known = frame.layoutData?.stores ?? [];
  const stores = STORES.flatMap((id) => known.find((store) => store.id === id && store.url) ?? []);
  if (stores.length === 0) return <p className={styles.none}>{t('stores.none')}</p>;
  return (
    <ul className={styles.list} aria-label={t('stores')}>
      {stores.map(({ id = '', name, url, version }) => (
        <li key={id}>
          <a
            href={url}
            target="_blank"
            rel="noopener"
            className={styles.store}
            data-yours={device === id || undefined}
          >
            <StoreSign store={id} className={styles.sign} />
            <span>
              <span className={styles.get}>{t('stores.get')}</span>
              <bdi className={styles.name}>{name}</bdi>
              {version && (
                <span className={styles.version}>
                  {t.rich('stores.version', { version: <bdi key="version">{version}</bdi> })}
                </span>
              )}
            </span>
            <span className="visually-hidden"> {common('new-tab')}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
