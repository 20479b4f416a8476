import { FEEDBACK_PATH } from '~/features/help/paths';
import { COMPLAINT_BUSINESS_DAYS } from '~/lib/company';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { factsOf } from '~/lib/page/facts';
import { usePage } from '~/lib/page/page';
import styles from './TrustBand.module.css';

/** Who the company is, who supervises it, how assets are held and where complaints go. */
export function TrustBand() {
  const t = useMessages('chrome');
  const facts = factsOf(usePage().frame.layoutData, 'licence');
  return (
    <section className={styles.band} aria-label={t('trust.title')}>
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map(({ key, name, description, url, newTab }) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd>
                {url ? (
                  <SiteLink to={url} target={newTab ? '_blank' : undefined}>
                    <bdi>{description}</bdi>
                    {newTab && <span className="visually-hidden"> {t('new-tab')}</span>}
                  </SiteLink>
                ) : (
                  <bdi>{description}</bdi>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className={styles.text}>
        <strong>{t('trust.custody')}</strong>
        {t('trust.custody.text')}
      </p>
      <p className={styles.text}>
        <strong>{t('trust.complaints')}</strong>
        {t('trust.complaints.text', { days: COMPLAINT_BUSINESS_DAYS })}{' '}
        <SiteLink to={FEEDBACK_PATH}>{t('trust.complaints.link')}</SiteLink>
      </p>
    </section>
  );
}
