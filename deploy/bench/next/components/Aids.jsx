import { useId } from 'react';
import { TEXTS } from '../../page/texts';
import { Icon } from './Icon';

export function BackToTop() {
  return (
    <button type="button" data-chrome="back-to-top" className="top-button" hidden>
      <Icon name="arrow-up" />
      <span className="visually-hidden">{TEXTS.backToTop}</span>
    </button>
  );
}

export function CustomerService({ contact: { phone, email, whatsappUrl } }) {
  const id = useId();
  return (
    <aside data-chrome="customer-service" className="service-place" aria-label={TEXTS.service}>
      <button type="button" className="service-button" popoverTarget={id}>
        <Icon name="chat" />
        <span className="visually-hidden">{TEXTS.serviceOpen}</span>
      </button>
      <span className="service-tip" aria-hidden="true">
        {TEXTS.service}
      </span>
      <div id={id} popover="auto" className="service-popup">
        <p className="service-title">{TEXTS.service}</p>
        <p className="service-hours">{TEXTS.serviceHours}</p>
        <ul className="service-ways">
          {phone && (
            <Way icon="phone" name={TEXTS.phone} href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
              <bdi dir="ltr">{phone}</bdi>
            </Way>
          )}
          {whatsappUrl && (
            <Way icon="whatsapp" name={TEXTS.whatsapp} href={whatsappUrl} newTab>
              {TEXTS.whatsappOpen}
            </Way>
          )}
          {email && (
            <Way icon="mail" name={TEXTS.email} href={`mailto:${email}`}>
              <bdi>{email}</bdi>
            </Way>
          )}
        </ul>
      </div>
    </aside>
  );
}

function Way({ icon, name, href, newTab = false, children }) {
  return (
    <li>
      <a
        href={href}
        className="service-way"
        target={newTab ? '_blank' : undefined}
        rel={newTab ? 'noopener' : undefined}
      >
        <Icon name={icon} className="service-icon" />
        <span>
          <span className="service-name">{name}</span>
          <span className="service-value">
            {children}
            {newTab && <span className="visually-hidden"> {TEXTS.newTab}</span>}
          </span>
        </span>
      </a>
    </li>
  );
}
