import { useEffect, useState } from 'react';
import {
  InviteCodeField,
  inviteCodeError,
  invitedBy,
} from '~/features/invite-code/InviteCodeField';
import { loginBySms, type ResultOf } from '~/gen/operations';
import { type ApiError, post } from '~/lib/api';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Field } from '~/ui/form/Field';
import { SubmitButton } from '~/ui/form/SubmitButton';
import { type FieldErrors, generalError, useForm, wrongFields } from '~/ui/form/useForm';
import { Agreement } from './Agreement';
import styles from './LoginPage.module.css';
import {
  CODE_DIGITS,
  codeDigits,
  codeError,
  MAX_PHONE_DIGITS,
  MIN_PHONE_DIGITS,
  phoneDigits,
  phoneError,
  phonePlaceholder,
  SAUDI_MOBILE_DIGITS,
  TEL_CODE_DEFAULT,
} from './rules';
import { TelCodeSelect } from './TelCodeSelect';
import { useCodeSending } from './useCodeSending';

/** Logs in with a telephone number and a code; an unknown number signs up. */
export function CodeForm({
  onLogin,
}: {
  onLogin(login: ResultOf<typeof loginBySms>, account: string): void;
}) {
  const { locale } = usePage();
  const t = useMessages('login');
  const form = useForm();
  const [telCode, setTelCode] = useState(TEL_CODE_DEFAULT);
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const invite = useInviteCode();
  const sending = useCodeSending(telCode, phoneDigits(phone));

  const phoneFound = () => {
    const error = phoneError(telCode, phone);
    return error && t(error, { digits: SAUDI_MOBILE_DIGITS });
  };

  async function explain(failure: ApiError): Promise<FieldErrors> {
    const wrong = wrongFields(failure);
    if (wrong.has('phone') || wrong.has('telCode')) return { phone: t('phone.wrong') };
    if (wrong.has('code')) return { code: t('code.wrong') };
    if (wrong.has('inviteCode')) {
      return { inviteCode: (await inviteCodeError(invite.value, locale)) ?? t('invite.invalid') };
    }
    if (wrong.has('recaptchaToken')) return { form: t('recaptcha.failed') };
    return { form: generalError(failure, locale, t('too-many')) };
  }

  function send() {
    if (sending.left > 0 || form.busy) return;
    if (!form.show({ phone: phoneFound() })) return;
    const failed = async (failure: ApiError) => {
      const found = await explain(failure);
      const isOurs = failure.code !== 429 && !failure.isTurnedOff;
      const said = failure.kind === 'service' && isOurs && found.form;
      return said ? { form: t('send.failed') } : found;
    };
    form.run(sending.send, failed);
  }

  function submit() {
    const error = codeError(code);
    if (
      !form.show({
        phone: phoneFound(),
        code: error && t(error, { digits: CODE_DIGITS }),
        inviteCode: invite.error,
      })
    ) {
      return;
    }
    form.run(async () => {
      const login = await post(
        loginBySms,
        {
          telCode,
          phone: phoneDigits(phone),
          code: codeDigits(code),
          agreement: true,
          inviteCode: invite.value || undefined,
        },
        { locale },
      );
      onLogin(login, `+${telCode}${phoneDigits(phone)}`);
    }, explain);
  }

  return (
    <form ref={form.ref} noValidate className={styles.form} onSubmit={form.onSubmit(submit)}>
      <div className={styles.number}>
        <Field name="telCode" label={t('country')}>
          {(control) => <TelCodeSelect control={control} value={telCode} onChange={setTelCode} />}
        </Field>
        <Field name="phone" label={t('phone')} error={form.errors.phone}>
          {(control) => (
            <input
              {...control}
              type="text"
              inputMode="tel"
              dir="ltr"
              autoComplete="tel-national"
              placeholder={
                phonePlaceholder(telCode) ??
                t('phone.length', { least: MIN_PHONE_DIGITS, most: MAX_PHONE_DIGITS })
              }
              maxLength={24}
              required
              value={phone}
              onChange={({ target }) => {
                setPhone(target.value);
                form.clear('phone');
              }}
            />
          )}
        </Field>
      </div>
      <Field name="code" label={t('code')} error={form.errors.code}>
        {(control) => (
          <div className={styles.code}>
            <input
              {...control}
              type="text"
              inputMode="numeric"
              dir="ltr"
              autoComplete="one-time-code"
              maxLength={10}
              required
              value={code}
              onChange={({ target }) => {
                setCode(target.value);
                form.clear('code');
              }}
            />
            <button
              type="button"
              className={buttonClass('quiet')}
              // Not `disabled`: a disabled button would lose focus.
              aria-disabled={sending.left > 0 || form.busy}
              onClick={send}
            >
              {sending.left > 0 ? (
                <>
                  <span aria-hidden="true">{t('send.again-in', { seconds: sending.left })}</span>
                  <span className="visually-hidden">
                    {t('send.again-in', { seconds: sending.wait })}
                  </span>
                </>
              ) : (
                t(sending.isSent ? 'send.again' : 'send')
              )}
            </button>
          </div>
        )}
      </Field>
      <p role="status" className={styles.status}>
        {sending.isSent && t('send.done')}
        {sending.isSent && sending.left > 0 && (
          <span className="visually-hidden"> {t('send.again-in', { seconds: sending.wait })}</span>
        )}
      </p>
      <details className={styles.invite} open={invite.value !== '' || undefined}>
        <summary>{t('invite.have')}</summary>
        <InviteCodeField
          label={t('invite')}
          error={form.errors.inviteCode ?? invite.error}
          value={invite.value}
          onChange={(typed) => {
            invite.change(typed);
            form.clear('inviteCode');
          }}
          onBlur={invite.check}
        />
      </details>
      <p role="alert" tabIndex={-1} className={styles.alert}>
        {form.errors.form}
      </p>
      <SubmitButton busy={form.busy}>{t('submit.code')}</SubmitButton>
      <Agreement />
    </form>
  );
}

/** The optional invite code, initially from the address, validated by the server on blur. */
function useInviteCode() {
  const { locale } = usePage();
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  useEffect(() => setValue(invitedBy(window.location.search)), []);
  return {
    value,
    error,
    change(typed: string) {
      setValue(typed);
      setError(undefined);
    },
    /** Failures are silent: the code is validated again with the login. */
    async check() {
      if (value) setError(await inviteCodeError(value, locale));
    },
  };
}
