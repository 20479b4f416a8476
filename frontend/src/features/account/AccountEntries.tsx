import { useRef } from 'react';
import { importOnInteraction } from '~/lib/import-on-interaction';
import { openPendingTab, type PendingTab } from '~/lib/links/pending-tab';
import type { Locale } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { isPc } from '~/lib/viewport';
import { buttonClass } from '~/ui/button';
import { Dialog } from '~/ui/Dialog';
import styles from './AccountEntries.module.css';
import { logOut } from './login';
import { openingLabel } from './opening';
import { useAccountLinks } from './useAccountLinks';
import { useMember } from './useMember';

/**
 * The member's entries in the menus as list items: Sahm ID and account if there is one, Tadawul for
 * Saudi accounts, and logging out.
 */
export function AccountEntries({ className }: { className: string | undefined }) {
  const { locale } = usePage();
  const t = useMessages('common');
  const { hsNo, opened, openedSaudi } = useMember();
  const { myAccount, action } = useAccountLinks();
  const onlyPc = useRef<HTMLDialogElement>(null);
  return (
    <>
      {hsNo && <li className={styles.id}>{t.rich('account.id', { id: <bdi>{hsNo}</bdi> })}</li>}
      {(opened || hsNo) && (
        <li>
          <a href={myAccount} className={className} data-document="">
            {t('account.mine')}
          </a>
        </li>
      )}
      {!opened && (
        <li className={styles.id}>
          {t(action === 'openAccount' ? 'account.none' : openingLabel(action))}
        </li>
      )}
      {openedSaudi && (
        <li>
          <button
            type="button"
            className={className}
            onClick={() => {
              if (isPc(window.innerWidth)) toTadawul(locale, openPendingTab(t('loading')));
              else onlyPc.current?.showModal();
            }}
          >
            {t('account.tadawul')}
          </button>
          <Dialog ref={onlyPc} className={styles.dialog} aria-label={t('account.tadawul')}>
            <form method="dialog">
              <p>{t('account.only-pc')}</p>
              <button type="submit" className={buttonClass('primary')}>
                {t('got-it')}
              </button>
            </form>
          </Dialog>
        </li>
      )}
      <li>
        <button type="button" className={className} onClick={() => logOutAndReload(locale)}>
          {t('account.log-out')}
        </button>
      </li>
    </>
  );
}

// The code is loaded when the entry is pressed.
async function toTadawul(locale: Locale, tab: PendingTab) {
  const code = await importOnInteraction(locale, () => import('./tadawul'));
  if (code) await code.registerTadawul(locale, tab);
  else tab.close();
}

async function logOutAndReload(locale: Locale) {
  if (await logOut(locale)) window.location.reload();
}
