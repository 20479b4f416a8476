import { useState } from 'react';
import { loginByPassword } from '~/gen/operations';
import { type ApiError, post } from '~/lib/api';
import { westernDigits } from '~/lib/format/digits';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Field } from '~/ui/form/Field';
import { SubmitButton } from '~/ui/form/SubmitButton';
import { generalError, useForm, wrongFields } from '~/ui/form/useForm';
import { Agreement } from './Agreement';
import styles from './LoginPage.module.css';
import { PasswordField } from './PasswordField';
import { accountError } from './rules';

/** Logs in with a telephone number or email and a password. */
export function PasswordForm({ onLogin }: { onLogin(): void }) {
  const { locale } = usePage();
  const t = useMessages('login');
  const form = useForm();
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');

  function explain(failure: ApiError) {
    const wrong = wrongFields(failure);
    if (wrong.has('account') || wrong.has('telCode')) return { account: t('account.wrong') };
    if (wrong.has('password')) return { password: t('password.wrong') };
    return { form: generalError(failure, locale, t('too-many')) };
  }

  function submit() {
    const error = accountError(account);
    const needed = password === '' ? t('password.needed') : undefined;
    if (!form.show({ account: error && t(error), password: needed })) return;
    form.run(async () => {
      const sent = account.includes('@') ? account.trim() : westernDigits(account.trim());
      await post(loginByPassword, { account: sent, password }, { locale });
      onLogin();
    }, explain);
  }

  return (
    <form ref={form.ref} noValidate className={styles.form} onSubmit={form.onSubmit(submit)}>
      <Field
        name="account"
        label={t('account')}
        hint={t('account.hint')}
        error={form.errors.account}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            dir="ltr"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            required
            value={account}
            onChange={({ target }) => {
              setAccount(target.value);
              form.clear('account');
            }}
          />
        )}
      </Field>
      <PasswordField
        label={t('password')}
        error={form.errors.password}
        autoComplete="current-password"
        value={password}
        onChange={(typed) => {
          setPassword(typed);
          form.clear('password');
        }}
      />
      <p role="alert" tabIndex={-1} className={styles.alert}>
        {form.errors.form}
      </p>
      <SubmitButton busy={form.busy}>{t('submit.password')}</SubmitButton>
      <Agreement />
    </form>
  );
}
