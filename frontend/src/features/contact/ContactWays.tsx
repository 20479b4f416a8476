import type { ReactNode } from 'react';
import { supportHours } from '~/lib/company';
import { formatPhone } from '~/lib/format/digits';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon, type IconName } from '~/ui/Icon';
import styles from './ContactWays.module.css';

/** The contact options from config, with service hours. */
export function ContactWays({ children }: { children?: ReactNode }) {
  const { frame, locale } = usePage();
  const t = useMessages('chrome');
  const { phone, email, whatsappUrl } = frame.layoutData?.contact ?? {};
  return (
    <div className={styles.ways}>
      <p className={styles.hours}>
        <Icon name="clock" />
        {t('service.hours', supportHours(locale))}
      </p>
      <ul className={styles.list}>
        {phone && (
          <Way
            icon="phone"
            name={t('service.phone')}
            href={`tel:${phone.replace(/[^+\d]/g, '')}`}
            value={<bdi dir="ltr">{formatPhone(phone)}</bdi>}
          />
        )}
        {whatsappUrl && (
          <Way
            icon="whatsapp"
            name={t('service.whatsapp')}
            href={whatsappUrl}
            newTab
            value={t('service.whatsapp-open')}
          />
        )}
        {email && (
          <Way
            icon="mail"
            name={t('service.email')}
            href={`mailto:${email}`}
            value={<bdi>{email}</bdi>}
          />
        )}
        {children}
      </ul>
      {!(phone || email || whatsappUrl) && <p>{t('service.unavailable')}</p>}
    </div>
  );
}

function Way({
  icon,
  name,
  href,
  value,
  newTab = false,
}: {
  icon: IconName;
  name: string;
  href: string;
  value: ReactNode;
  newTab?: boolean;
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
        <span className={styles.name}>{name}</span>
        <span className={styles.value}>
          {value}
          {newTab && <span className="visually-hidden"> {t('new-tab')}</span>}
        </span>
      </a>
    </li>
  );
}
