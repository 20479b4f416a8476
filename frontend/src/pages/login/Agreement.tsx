import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import styles from './LoginPage.module.css';

/** The documents that a user accepts by continuing. */
export function Agreement() {
  const t = useMessages('login');
  return (
    <p className={styles.agreement}>
      {t.rich('agreement', {
        agreement: (
          <SiteLink to={pathTo('terms', { id: 'service-agreement' })} target="_blank">
            {t('agreement.services')}
          </SiteLink>
        ),
        policy: (
          <SiteLink to={pathTo('terms', { id: 'privacy-policy' })} target="_blank">
            {t('agreement.privacy')}
          </SiteLink>
        ),
      })}
    </p>
  );
}
