import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Mark } from '~/ui/Mark';
import styles from './Logo.module.css';

/** The logo, linked to home. */
export function Logo() {
  const t = useMessages('chrome');
  return (
    <SiteLink to={pathTo('home')} className={styles.logo}>
      <Mark />
      <span className={styles.name}>{t('site-name')}</span>
    </SiteLink>
  );
}
