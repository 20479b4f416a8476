import { useRef } from 'react';
import { AccountEntries } from '~/features/account/AccountEntries';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import nav from './HeaderNav.module.css';
import { useDisclosures } from './useDisclosures';

/** The member's menu in the header, a disclosure. */
export function AccountMenu({ className }: { className: string }) {
  const t = useMessages('common');
  const root = useRef<HTMLDivElement>(null);
  useDisclosures(root);
  return (
    <div ref={root} className={className}>
      <details name="header-menu" className={nav.disclosure}>
        <summary className={nav.item}>
          <Icon name="user" />
          {t('account.title')}
          <Icon name="chevron-down" />
        </summary>
        <ul className={`${nav.panel} ${nav.end}`}>
          <AccountEntries className={nav.link} />
        </ul>
      </details>
    </div>
  );
}
