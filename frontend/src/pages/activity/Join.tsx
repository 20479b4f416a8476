import { type FormEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { currentSession, NO_ABORT, onSession, setSeedAbort } from '~/features/account/session';
import { useAccountLinks } from '~/features/account/useAccountLinks';
import { useMember } from '~/features/account/useMember';
import { ApiFailure, call, failureText } from '~/lib/api';
import { hasNative, native } from '~/lib/bridge/bridge';
import { useMessages } from '~/lib/messages/messages';
import { say } from '~/lib/notices';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Field } from '~/ui/Field';
import styles from './Join.module.css';
import type { Participation } from './useParticipation';

interface Joined {
  joined: boolean;
  text: string;
}

/** Joining a running campaign: through the login for a visitor, with a friend's code if there is one. */
export function Join({
  activityId,
  participation,
  onJoined,
}: {
  activityId: string;
  participation: Participation;
  onJoined(): void;
}) {
  const t = useMessages('activity');
  const inviteCode = useInviteCode();
  const { logined } = useMember();
  const visitor =
    participation.kind === 'visitor' || (participation.kind === 'unknown' && !logined);
  if (visitor) return <LogInFirst activityId={activityId} inviteCode={inviteCode} />;
  return (
    // As high as the form, so that nothing below moves when it is known what stands here.
    <div className={styles.place}>
      {participation.kind === 'unknown' && <p className={styles.waiting}>{t('join.checking')}</p>}
      {participation.kind === 'failed' && <p>{t('join.failed')}</p>}
      {participation.kind === 'member' &&
        (participation.standing.joined ? (
          <p className={styles.joined}>{t('join.joined')}</p>
        ) : (
          <JoinForm activityId={activityId} invited={inviteCode} onJoined={onJoined} />
        ))}
    </div>
  );
}

function LogInFirst({ activityId, inviteCode }: { activityId: string; inviteCode: string }) {
  const t = useMessages('activity');
  const { login } = useAccountLinks();
  return (
    <div className={styles.join}>
      {inviteCode && <Invited code={inviteCode} />}
      <p>{t('join.visitor')}</p>
      <p>
        <a
          href={inviteCode ? `${login}&inviteCode=${inviteCode}` : login}
          className={buttonClass('primary', 'large')}
          data-document=""
          onClick={(event) => {
            setSeedAbort({ id: Number(activityId), isShow: true });
            if (!hasNative(window)) return;
            event.preventDefault();
            const target = window.location.href;
            native(window, 'login', { target }).then((done) => {
              if (done) window.location.reload();
              else window.location.assign(login);
            });
          }}
        >
          {t('join.log-in')}
        </a>
      </p>
    </div>
  );
}

function JoinForm({
  activityId,
  invited,
  onJoined,
}: {
  activityId: string;
  invited: string;
  onJoined(): void;
}) {
  const { locale } = usePage();
  const t = useMessages('activity');
  const [code, setCode] = useState(invited);
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const abort = useSyncExternalStore(
    onSession,
    () => currentSession().seedAbort,
    () => NO_ABORT,
  );
  const brokenOff = abort.isShow && abort.id === Number(activityId);
  useEffect(() => setCode(invited), [invited]);

  async function join(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const { joined, text } = await call<Joined>(
        '/activity/invite/join',
        { activityId, inviteCode: code || undefined },
        { locale },
      );
      if (!joined) {
        setFault(text || t('join.failed'));
        return;
      }
      setSeedAbort(NO_ABORT);
      say(t('join.done'), 'success');
      onJoined();
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : new ApiFailure('service');
      const { fields } = (failure.data ?? {}) as { fields?: object };
      const wrongCode = fields && 'inviteCode' in fields;
      setFault(wrongCode ? t('invite.invalid') : failureText(failure, locale));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.join} noValidate onSubmit={join}>
      {brokenOff ? <p>{t('join.abort')}</p> : <p>{t('join.member')}</p>}
      {invited && <Invited code={invited} />}
      <Field name="inviteCode" label={t('join.code')} fault={fault} className={styles.code}>
        {(control) => (
          <input
            {...control}
            type="text"
            dir="ltr"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            value={code}
            onChange={({ target }) => {
              setCode(target.value.trim());
              setFault(undefined);
            }}
          />
        )}
      </Field>
      <p>
        <button
          type="submit"
          className={buttonClass('primary', 'large')}
          aria-busy={busy || undefined}
        >
          {t('join.submit')}
        </button>
      </p>
    </form>
  );
}

function Invited({ code }: { code: string }) {
  const t = useMessages('activity');
  return <p>{t.rich('join.invited', { code: <bdi key="code">{code}</bdi> })}</p>;
}

/** The code of the friend whose link was followed; known once the page is hydrated. */
function useInviteCode(): string {
  const [code, setCode] = useState('');
  useEffect(() => {
    const given = new URLSearchParams(window.location.search).get('inviteCode') ?? '';
    if (/^[A-Za-z0-9]{4,16}$/.test(given)) setCode(given.toUpperCase());
  }, []);
  return code;
}
