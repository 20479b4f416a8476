import { nameIn } from '~/features/menu/names';
import { tabPath } from '~/features/news/paths';
import type { NewsTabJson } from '~/gen/sahm/content/v1/news_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import styles from './Tabs.module.css';

/** The tabs of the news: links, the shown one marked. */
export function Tabs({ tabs, shown }: { tabs: NewsTabJson[]; shown: string }) {
  const { locale } = usePage();
  const t = useMessages('news');
  return (
    <nav aria-label={t('tabs')} className={styles.nav}>
      <ul className={styles.tabs}>
        {tabs.map((tab) => (
          <li key={tab.id}>
            <SiteLink
              to={tabPath(tab)}
              className={styles.tab}
              aria-current={tab.id === shown ? 'page' : undefined}
            >
              {nameIn(locale, tab)}
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
