import { ContactWays } from '~/features/contact/ContactWays';
import { FEEDBACK_PATH } from '~/features/help/paths';
import { useMessages } from '~/lib/messages/messages';
import { TextLink } from '~/ui/TextLink';
import styles from './ContactCard.module.css';

/** How to contact customer service, with a link to the feedback form except beside it. */
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
