import { useEffect, useState } from 'react';
import { openingLabel } from '~/features/account/opening';
import { useAccountLinks } from '~/features/account/useAccountLinks';
import { useMember } from '~/features/account/useMember';
import { isSitePath, usePaths } from '~/lib/links/paths';
import { resolveRedirect } from '~/lib/links/redirect';
import { useMessages } from '~/lib/messages/messages';
import { buttonClass } from '~/ui/button';
import links from '~/ui/links.module.css';
import secondary from '~/ui/secondary.module.css';
import styles from './DownloadPage.module.css';

/**
 * The next step for visitors who want an account: by account status, in the app or at config's web
 * address; and a link back.
 */
export function AccountStep({ isOpened }: { isOpened: boolean }) {
  const t = useMessages('open-account');
  const common = useMessages('common');
  const { current, href } = usePaths();
  const { opened } = useMember();
  const { action, openAccount, login, myAccount } = useAccountLinks();
  const back = useReferrer(href(current));
  const state = isOpened || opened ? 'download' : action;
  const target = state === 'download' ? myAccount : openAccount;
  const isOnWeb = !target.startsWith(href(current));
  return (
    <section className={styles.step} aria-labelledby="account-step">
      <p className={secondary.small}>
        {t('chosen', { name: common(isOpened ? 'account.mine' : openingLabel(state)) })}
      </p>
      <h2 id="account-step" className={styles.stepTitle}>
        {t(`${state}.title`)}
      </h2>
      <p>{t(`${state}.text`)}</p>
      {state === 'signUp' ? (
        <a href={login} className={buttonClass('primary')} data-document="">
          {common('log-in')}
        </a>
      ) : (
        isOnWeb &&
        state !== 'reviewAccount' && (
          <a href={target} className={buttonClass('primary')} data-document="">
            {t('web')}
          </a>
        )
      )}
      {back && (
        <a href={back} className={links.text}>
          {t('back')}
        </a>
      )}
    </section>
  );
}

/** The page of this site that linked to `path`; undefined until hydration. */
function useReferrer(path: string): string | undefined {
  const [referrer, setReferrer] = useState<string>();
  useEffect(() => {
    const url = resolveRedirect(document.referrer, window.location.origin, []);
    if (url && isSitePath(path) && new URL(url).pathname !== path) setReferrer(url);
  }, [path]);
  return referrer;
}
