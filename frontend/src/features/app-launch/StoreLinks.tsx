import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import secondary from '~/ui/secondary.module.css';
import { STORES, useDevice } from './device';
import styles from './StoreLinks.module.css';

/** Our own icons for the stores, whose logos we may not redraw. */
const SIGNS: Readonly<Record<string, string>> = {
  ios: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  android: 'M8 3h8a2 2 0 012 2v14a2 2 0 01-2 2H8a2 2 0 01-2-2V5a2 2 0 012-2zM12 5.5h.01M6 17.5h12',
  huawei: 'M6 8.5h12l-1 12H7zM9 8.5V7a3 3 0 016 0v1.5',
};

/**
 * The app stores from config with the version each offers; the store of the visitor's device is
 * marked.
 */
export function StoreLinks() {
  const { frame } = usePage();
  const t = useMessages('download');
  const common = useMessages('common');
  const device = useDevice();
  const known = frame.layoutData?.stores ?? [];
  const stores = STORES.flatMap((id) => known.find((store) => store.id === id && store.url) ?? []);
  if (stores.length === 0) return <p className={secondary.text}>{t('stores.none')}</p>;
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
            <svg viewBox="0 0 24 24" className={styles.sign} aria-hidden="true">
              <path d={SIGNS[id] ?? SIGNS.android} />
            </svg>
            <span>
              <span className={styles.get}>{t('stores.get', { store: id })}</span>
              <bdi className={styles.name}>{name}</bdi>
              {version && (
                <span className={styles.version}>
                  {t.rich('stores.version', { version: <bdi>{version}</bdi> })}
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
