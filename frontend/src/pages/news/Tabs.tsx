import { tabPath } from '~/features/news/paths';
import { badgeText, useUnread } from '~/features/news/unread';
import type { NewsTabJson } from '~/gen/sahm/content/v1/news_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import tabStyles from '~/ui/tabs.module.css';
import styles from './Tabs.module.css';

/** The news tabs as links, with counts of unread articles. */
export function Tabs({ tabs, shown }: { tabs: NewsTabJson[]; shown: string }) {
  const t = useMessages('news');
  const unread = useUnread(shown);
  return (
    <nav aria-label={t('tabs')} className={`${tabStyles.nav} ${styles.nav}`}>
      <ul className={`${tabStyles.list} ${styles.list}`}>
        {tabs.map((tab) => {
          const count = unread.get(tab.id ?? '') ?? 0;
          return (
            <li key={tab.id}>
              <SiteLink
                to={tabPath(tab)}
                className={tabStyles.tab}
                aria-current={tab.id === shown ? 'page' : undefined}
              >
                <span className={tabStyles.name}>{tab.name}</span>
                {count > 0 && (
                  <span className={styles.unread} data-live="">
                    <span aria-hidden="true">{badgeText(count)}</span>
                    <span className="visually-hidden">{t('unread', { count })}</span>
                  </span>
                )}
              </SiteLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
