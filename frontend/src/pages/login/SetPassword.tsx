import { useState } from 'react';
import { setPassword as setPasswordOperation } from '~/gen/operations';
import { post } from '~/lib/api';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { SubmitButton } from '~/ui/form/SubmitButton';
import { generalError, useForm, wrongFields } from '~/ui/form/useForm';
import { Icon } from '~/ui/Icon';
import styles from './LoginPage.module.css';
import { PasswordField } from './PasswordField';
import {
  isPassword,
  keptRules,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  PASSWORD_RULES,
} from './rules';

/** Sets an optional password after signing up, validated while typing. */
export function SetPassword({ account, onDone }: { account: string; onDone(): void }) {
  const { locale } = usePage();
  const t = useMessages('login');
  const form = useForm();
  const [password, setPassword] = useState('');
  const fulfilled = keptRules(password);

  function submit() {
    if (!form.show({ password: isPassword(password) ? undefined : t('password.rule') })) return;
    form.run(
      async () => {
        await post(setPasswordOperation, { password }, { locale });
        onDone();
      },
      (failure) => {
        // The session has expired: the step is skipped silently.
        if (failure.kind === 'login') onDone();
        return wrongFields(failure).has('password')
          ? { password: t('password.rule') }
          : { form: generalError(failure, locale, t('too-many')) };
      },
    );
  }

  return (
    <form ref={form.ref} noValidate className={styles.form} onSubmit={form.onSubmit(submit)}>
      <p>{t('set.text')}</p>
      <input type="text" hidden readOnly autoComplete="username" value={account} />
      <PasswordField
        label={t('password.new')}
        error={form.errors.password}
        autoComplete="new-password"
        value={password}
        onChange={(typed) => {
          setPassword(typed);
          form.clear('password');
        }}
      />
      <ul className={styles.rules}>
        {PASSWORD_RULES.map((rule) => (
          <li key={rule} data-fulfilled={fulfilled.has(rule) || undefined}>
            <Icon name={fulfilled.has(rule) ? 'check' : 'close'} />
            {t(`rule.${rule}`, { least: MIN_PASSWORD_LENGTH, most: MAX_PASSWORD_LENGTH })}
            <span className="visually-hidden">
              {t(fulfilled.has(rule) ? 'rule.kept' : 'rule.open')}
            </span>
          </li>
        ))}
      </ul>
      <p role="alert" tabIndex={-1} className={styles.alert}>
        {form.errors.form}
      </p>
      <SubmitButton busy={form.busy}>{t('set.submit')}</SubmitButton>
      <button type="button" className={buttonClass('quiet')} onClick={onDone}>
        {t('set.later')}
      </button>
    </form>
  );
}
