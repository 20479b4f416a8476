import type { ReactNode } from 'react';
import { formatPhone } from '~/lib/format/digits';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon, type IconName } from '~/ui/Icon';
import styles from './ContactList.module.css';

interface ContactChannel {
  icon: IconName;
  name: string;
  href: string | undefined;
  value: ReactNode;
  newTab?: boolean;
}

/** The contact options from config; `compact` in a popup. */
export function ContactList({ compact = false }: { compact?: boolean }) {
  const t = useMessages('common');
  const { phone, email, whatsappUrl } = usePage().frame.layoutData?.contact ?? {};
  const known: ContactChannel[] = [
    {
      icon: 'phone',
      name: t('service.phone'),
      href: phone && `tel:${phone.replace(/[^+\d]/g, '')}`,
      value: <bdi dir="ltr">{formatPhone(phone ?? '')}</bdi>,
    },
    {
      icon: 'whatsapp',
      name: t('service.whatsapp'),
      href: whatsappUrl,
      value: t('service.whatsapp-open'),
      newTab: true,
    },
    {
      icon: 'mail',
      name: t('service.email'),
      href: email && `mailto:${email}`,
      value: <bdi>{email}</bdi>,
    },
  ];
  const ways = known.filter(({ href }) => href);
  if (ways.length === 0) return <p>{t('service.unavailable')}</p>;
  return (
    <ul className={compact ? styles.compact : undefined}>
      {ways.map(({ icon, name, href, value, newTab }) => (
        <li key={icon}>
          <a
            href={href}
            className={styles.way}
            {...(newTab && { target: '_blank', rel: 'noopener' })}
          >
            <Icon name={icon} className={styles.icon} />
            <span className={styles.name}>{name}</span>
            <span className={styles.value}>
              {value}
              {newTab && <span className="visually-hidden"> {t('new-tab')}</span>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
