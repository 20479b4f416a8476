import type { AnnouncementLinkJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { Time } from '~/ui/Time';
import styles from './Announcements.module.css';

/** The latest announcements of a market with links to their pages. */
export function Announcements({
  title,
  items = [],
  padded = false,
}: {
  /** “Announcements” if absent. */
  title?: string;
  items?: readonly AnnouncementLinkJson[] | undefined;
  /** Whether the list is a full-width section. */
  padded?: boolean;
}) {
  const t = useMessages('common');
  if (items.length === 0) return null;
  const Region = padded ? Section : 'section';
  return (
    <Region aria-labelledby="announcements" className={padded ? styles.padded : styles.part}>
      <h2 id="announcements" className={styles.title}>
        {title ?? t('announcements')}
      </h2>
      <ul className={styles.items}>
        {items.map(({ id = '', title: name, publishedAt = 0, source }) => (
          <li key={id} className={styles.item}>
            <SiteLink
              to={pathTo('news-notice', { id })}
              className={`${links.stretched} ${styles.link}`}
            >
              {name}
            </SiteLink>
            <p className={rows.dotted}>
              {source && <span>{source}</span>}
              <Time epoch={publishedAt} />
            </p>
          </li>
        ))}
      </ul>
    </Region>
  );
}
