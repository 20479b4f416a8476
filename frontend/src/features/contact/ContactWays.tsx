import { supportHours } from '~/lib/company';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import { ContactList } from './ContactList';
import styles from './ContactWays.module.css';

/** The contact options from config, with service hours. */
export function ContactWays() {
  const { locale } = usePage();
  const t = useMessages('common');
  return (
    <div className={styles.ways}>
      <p className={styles.hours}>
        <Icon name="clock" />
        {t('service.hours', supportHours(locale))}
      </p>
      <ContactList styles={styles} />
    </div>
  );
}
