import { useEffect, useId, useRef, useState } from 'react';
import { checkLogin } from '~/features/account/login';
import { useMember } from '~/features/account/useMember';
import type { loginBySms, ResultOf } from '~/gen/operations';
import type { LoginPageJson } from '~/gen/sahm/page/v1/company_pb';
import { pathTo } from '~/lib/links/path-to';
import { hrefIn } from '~/lib/links/paths';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { Section } from '~/ui/Section';
import { TriangleRow } from '~/ui/TriangleRow';
import { CodeForm } from './CodeForm';
import styles from './LoginPage.module.css';
import { PasswordForm } from './PasswordForm';
import { loginTarget } from './rules';
import { SetPassword } from './SetPassword';

const LOGIN_METHODS = ['code', 'password'] as const;
type LoginMethod = (typeof LOGIN_METHODS)[number];

/**
 * `/login`: with a code, which also signs up, or with a password; then returns to the previous
 * page.
 */
function LoginPage({ document }: { document: LoginPageJson }) {
  const { locale, frame } = usePage();
  const t = useMessages('login');
  const common = useMessages('common');
  const { logined } = useMember();
  const [step, setStep] = useState<'log-in' | 'set-password'>('log-in');
  const [isLeaving, setIsLeaving] = useState(false);
  const [account, setAccount] = useState('');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (step !== 'set-password') return;
    window.document.title = `${t('set.title')} | ${common('site-name')}`;
    title.current?.focus();
  }, [step, t, common]);
  const isMember = step === 'log-in' && logined && !isLeaving;

  function goToTarget() {
    setIsLeaving(true);
    const target = new URLSearchParams(window.location.search).get('target');
    const { origin } = window.location;
    const { targetOrigins = [] } = document;
    window.location.assign(
      loginTarget(target, origin, hrefIn(locale, pathTo('home')), targetOrigins),
    );
  }

  function onCodeLogin({ signedUp }: ResultOf<typeof loginBySms>, number: string) {
    setAccount(number);
    if (!signedUp) {
      goToTarget();
      return;
    }
    setStep('set-password');
    // The page stays, and its header shows the member.
    checkLogin(locale);
  }

  return (
    <Section as="div" className={styles.page}>
      <Side />
      <div className={styles.main}>
        <h1 ref={title} tabIndex={-1} className={styles.title}>
          {t(step === 'set-password' ? 'set.title' : isMember ? 'already' : 'title')}
        </h1>
        <noscript>
          <div className={styles.noscript}>
            <p>{t('noscript')}</p>
            <SiteLink to={pathTo('download')} className={buttonClass('primary')}>
              {t('noscript.app')}
            </SiteLink>
            <ul className={styles.stores}>
              {(frame.layoutData?.stores ?? []).map(({ id, name, url }) => (
                <li key={id}>
                  <a href={url} rel="noopener">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </noscript>
        <div className={styles.scripted}>
          {step === 'set-password' ? (
            <SetPassword account={account} onDone={goToTarget} />
          ) : isMember ? (
            <button type="button" className={buttonClass('primary', 'large')} onClick={goToTarget}>
              {t('continue')}
            </button>
          ) : (
            <LoginForms onCodeLogin={onCodeLogin} onPasswordLogin={goToTarget} />
          )}
        </div>
      </div>
    </Section>
  );
}

/** Tabs with both forms, which keep what was typed. */
function LoginForms({
  onCodeLogin,
  onPasswordLogin,
}: {
  onCodeLogin(login: ResultOf<typeof loginBySms>, account: string): void;
  onPasswordLogin(): void;
}) {
  const t = useMessages('login');
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [method, setMethod] = useState<LoginMethod>('code');
  const forms = {
    code: <CodeForm onLogin={onCodeLogin} />,
    password: <PasswordForm onLogin={onPasswordLogin} />,
  };
  return (
    <>
      <p className={styles.intro}>{t('one-account')}</p>
      <div
        ref={list}
        role="tablist"
        aria-label={t('ways')}
        className={styles.tabs}
        onKeyDown={({ key }) => {
          if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
          const other = method === 'code' ? 'password' : 'code';
          setMethod(other);
          list.current?.querySelector<HTMLElement>(`[data-way="${other}"]`)?.focus();
        }}
      >
        {LOGIN_METHODS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}-tab`}
            aria-selected={method === one}
            aria-controls={`${id}-${one}`}
            tabIndex={method === one ? 0 : -1}
            data-way={one}
            className={styles.tab}
            onClick={() => setMethod(one)}
          >
            {t(`way.${one}`)}
          </button>
        ))}
      </div>
      {LOGIN_METHODS.map((one) => (
        <div
          key={one}
          role="tabpanel"
          id={`${id}-${one}`}
          aria-labelledby={`${id}-${one}-tab`}
          hidden={method !== one}
        >
          {forms[one]}
        </div>
      ))}
    </>
  );
}

/** The benefits of an account, next to the form where there is room. */
function Side() {
  const t = useMessages('login');
  return (
    <Section as="aside" night className={styles.side} aria-label={t('side.title')}>
      <Mark className={styles.mark} />
      <p className={styles.claim}>{t('side.title')}</p>
      <ul className={styles.points}>
        {(['one', 'two', 'three'] as const).map((point) => (
          <li key={point}>
            <Icon name="check" />
            {t(`side.${point}`)}
          </li>
        ))}
      </ul>
      <p className={styles.risk}>{t('side.risk')}</p>
      <TriangleRow rows={2} className={styles.pattern} />
    </Section>
  );
}

export default definePage({ Component: LoginPage, messages: ['login'] });
