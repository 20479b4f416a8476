import { useEffect, useRef, useState } from 'react';
import { useAccountLinks } from '~/features/account/useAccountLinks';
import { useMember } from '~/features/account/useMember';
import { withNativeApp } from '~/features/account/with-native-app';
import {
  InviteCodeField,
  inviteCodeError,
  invitedBy,
} from '~/features/invite-code/InviteCodeField';
import { joinCampaign } from '~/gen/operations';
import { type ApiError, errorText, post } from '~/lib/api';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { NO_ABORT, sessionStore, setSeedAbort } from '~/lib/session';
import { useStore } from '~/lib/store';
import { showToast } from '~/lib/toasts';
import { buttonClass } from '~/ui/button';
import { SubmitButton } from '~/ui/form/SubmitButton';
import { type FieldErrors, useForm, wrongFields } from '~/ui/form/useForm';
import secondary from '~/ui/secondary.module.css';
import styles from './Sections.module.css';
import type { Participation } from './useParticipation';

/** Joins a running campaign. Visitors log in first; a friend's invitation code is filled in. */
export function Join({
  activityId,
  participation,
  onJoined,
  onSessionEnded,
}: {
  activityId: string;
  participation: Participation;
  onJoined(): void;
  onSessionEnded(): Promise<void>;
}) {
  const t = useMessages('activity');
  const inviteCode = useInviteCode();
  const { logined } = useMember();
  const [hasJoinedNow, setHasJoinedNow] = useState(false);
  const visitor =
    participation.kind === 'visitor' || (participation.kind === 'unknown' && !logined);
  if (visitor) return <LogInFirst activityId={activityId} inviteCode={inviteCode} />;
  return (
    // As high as the form, so that nothing below moves when the participation is known.
    <div className={styles.place}>
      {participation.kind === 'unknown' && <p className={secondary.text}>{t('join.checking')}</p>}
      {participation.kind === 'failed' && <p>{t('join.failed')}</p>}
      {participation.kind === 'member' &&
        (participation.standing.joined ? (
          <Joined isNew={hasJoinedNow} />
        ) : (
          <JoinForm
            activityId={activityId}
            invited={inviteCode}
            onJoined={() => {
              setHasJoinedNow(true);
              onJoined();
            }}
            onSessionEnded={onSessionEnded}
          />
        ))}
    </div>
  );
}

/** Replaces the form and takes over its focus. */
function Joined({ isNew }: { isNew: boolean }) {
  const t = useMessages('activity');
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isNew) text.current?.focus();
  }, [isNew]);
  return (
    <p ref={text} tabIndex={-1} className={styles.joined}>
      {t('join.joined')}
    </p>
  );
}

function LogInFirst({ activityId, inviteCode }: { activityId: string; inviteCode: string }) {
  const { platform } = usePage();
  const t = useMessages('activity');
  const { login } = useAccountLinks();
  const href = inviteCode ? `${login}&inviteCode=${inviteCode}` : login;
  return (
    <div className={styles.join}>
      {inviteCode && <Invited code={inviteCode} />}
      <p>{t('join.visitor')}</p>
      <p>
        <a
          href={href}
          className={buttonClass('primary')}
          data-document=""
          onClick={(event) => {
            setSeedAbort({ id: Number(activityId), isShow: true });
            if (platform !== 'app') return;
            event.preventDefault();
            withNativeApp(href, ({ nativeLogin }) => nativeLogin(window, window.location, href));
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
  onSessionEnded,
}: {
  activityId: string;
  invited: string;
  onJoined(): void;
  onSessionEnded(): Promise<void>;
}) {
  const { locale } = usePage();
  const t = useMessages('activity');
  const [code, setCode] = useState(invited);
  const form = useForm();
  const abort = useStore(sessionStore, (session) => session.seedAbort, NO_ABORT);
  const brokenOff = abort.isShow && abort.id === Number(activityId);
  useEffect(() => setCode(invited), [invited]);

  function join() {
    form.run(async () => {
      const { joined, text } = await post(
        joinCampaign,
        { activityId, inviteCode: code || undefined },
        { locale },
      );
      if (!joined) {
        form.show({ inviteCode: text || t('join.failed') });
        return;
      }
      setSeedAbort(NO_ABORT);
      showToast(t('join.done'), 'success');
      onJoined();
    }, explain);
  }

  async function explain(failure: ApiError): Promise<FieldErrors> {
    if (failure.kind === 'login') {
      await onSessionEnded();
      return {};
    }
    if (!wrongFields(failure).has('inviteCode')) return { inviteCode: errorText(failure, locale) };
    // The server also refuses valid codes, for instance the member's own.
    return { inviteCode: (await inviteCodeError(code, locale)) ?? t('invite.invalid') };
  }

  return (
    <form ref={form.ref} className={styles.join} noValidate onSubmit={form.onSubmit(join)}>
      {brokenOff ? <p>{t('join.abort')}</p> : <p>{t('join.member')}</p>}
      {invited && <Invited code={invited} />}
      <InviteCodeField
        label={t('join.code')}
        error={form.errors.inviteCode}
        value={code}
        className={styles.field}
        onChange={(typed) => {
          setCode(typed);
          form.clear('inviteCode');
        }}
      />
      <p>
        <SubmitButton busy={form.busy}>{t('join.submit')}</SubmitButton>
      </p>
    </form>
  );
}

function Invited({ code }: { code: string }) {
  const t = useMessages('activity');
  return <p>{t.rich('join.invited', { code: <bdi>{code}</bdi> })}</p>;
}

/** The code of the friend whose link was followed; known once the page is hydrated. */
function useInviteCode(): string {
  const [code, setCode] = useState('');
  useEffect(() => setCode(invitedBy(window.location.search)), []);
  return code;
}
