import { useId } from 'react';
import { supportHours } from '~/lib/company';
import { formatPhone } from '~/lib/format/digits';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon, type IconName } from '~/ui/Icon';
import { useScrollsDown } from '~/ui/scroll';
import styles from './CustomerService.module.css';

/**
 * The floating customer service button and its popup. A native popover: it closes on a second
 * press, on Escape and on a press outside, with and without scripts.
 */
export function CustomerService() {
  const { frame, locale } = usePage();
  const t = useMessages('chrome');
  const id = useId();
  const isAway = useScrollsDown();
  const { phone, email, whatsappUrl } = frame.layoutData?.contact ?? {};
  return (
    <aside
      data-chrome="customer-service"
      data-away={isAway || undefined}
      className={styles.place}
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
        <ul className={styles.ways}>
          {phone && (
            <Way
              icon="phone"
              name={t('service.phone')}
              href={`tel:${phone.replace(/[^+\d]/g, '')}`}
            >
              <bdi dir="ltr">{formatPhone(phone)}</bdi>
            </Way>
          )}
          {whatsappUrl && (
            <Way icon="whatsapp" name={t('service.whatsapp')} href={whatsappUrl} newTab>
              {t('service.whatsapp-open')}
            </Way>
          )}
          {email && (
            <Way icon="mail" name={t('service.email')} href={`mailto:${email}`}>
              <bdi>{email}</bdi>
            </Way>
          )}
        </ul>
        {!(phone || email || whatsappUrl) && <p>{t('service.unavailable')}</p>}
      </div>
    </aside>
  );
}

function Way({
  icon,
  name,
  href,
  newTab,
  children,
}: {
  icon: IconName;
  name: string;
  href: string;
  newTab?: boolean;
  children: React.ReactNode;
}) {
  const t = useMessages('chrome');
  return (
    <li>
      <a
        href={href}
        className={styles.way}
        {...(newTab ? { target: '_blank', rel: 'noopener' } : {})}
      >
        <Icon name={icon} className={styles.icon} />
        <span>
          <span className={styles.name}>{name}</span>
          <span className={styles.value}>
            {children}
            {newTab && <span className="visually-hidden"> {t('new-tab')}</span>}
          </span>
        </span>
      </a>
    </li>
  );
}
