import { ContactWays } from '~/features/contact/ContactWays';
import { FEEDBACK_PATH } from '~/features/help/paths';
import { useMessages } from '~/lib/messages/messages';
import { TextLink } from '~/ui/TextLink';
import styles from './ContactCard.module.css';

/** The ways to contact customer service. The page with the feedback form has no link to the form. */
export function ContactCard({ besideForm = false }: { besideForm?: boolean }) {
  const t = useMessages('support');
  return (
    <section aria-labelledby="contact" className={styles.card}>
      <h2 id="contact" className={styles.title}>
        {t('contact.title')}
      </h2>
      <ContactWays />
      {!besideForm && <TextLink to={FEEDBACK_PATH}>{t('contact.feedback')}</TextLink>}
    </section>
  );
}
