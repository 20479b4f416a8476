import { useId } from 'react';
import { ContactList } from '~/features/contact/ContactList';
import { supportHours } from '~/lib/company';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import { useScrollsDown } from '~/ui/scroll';
import styles from './CustomerService.module.css';

/**
 * The floating customer service button and its popup. A native popover: it closes on a second
 * press, on Escape and on a press outside, with and without scripts.
 */
export function CustomerService() {
  const { locale } = usePage();
  const t = useMessages('common');
  const id = useId();
  const isAway = useScrollsDown();
  return (
    <aside
      data-chrome="customer-service"
      data-away={isAway || undefined}
      className={`${styles.place} screen-only`}
      aria-label={t('service.title')}
    >
      <button type="button" className={styles.button} popoverTarget={id}>
        <Icon name="chat" />
        <span className="visually-hidden">{t('service.open')}</span>
      </button>
      <span className={styles.tip} aria-hidden="true">
        {t('service.title')}
      </span>
      <div id={id} popover="auto" className={styles.popup}>
        <p className={styles.title}>{t('service.title')}</p>
        <p className={styles.hours}>{t('service.hours', supportHours(locale))}</p>
        <ContactList compact />
      </div>
    </aside>
  );
}
