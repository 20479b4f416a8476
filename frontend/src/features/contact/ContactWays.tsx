import { supportHours } from '~/lib/company';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import { ContactList } from './ContactList';
import styles from './ContactList.module.css';

/** The contact options from config, with service hours. */
export function ContactWays() {
  const { locale } = usePage();
  const t = useMessages('common');
  return (
    <div className={styles.ways}>
      <p className={styles.way}>
        <Icon name="clock" className={styles.icon} />
        <span className={styles.name}>{t('service.hours.name')}</span>
        <span className={styles.value}>{t('service.hours', supportHours(locale))}</span>
      </p>
      <ContactList />
    </div>
  );
}
