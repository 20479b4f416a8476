import { FEEDBACK_PATH } from '~/features/help/paths';
import { COMPLAINT_BUSINESS_DAYS, factsOf } from '~/lib/company';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import styles from './Footer.module.css';

/** The legal entity, its regulator, custody of assets and how to complain. */
export function TrustBand() {
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
