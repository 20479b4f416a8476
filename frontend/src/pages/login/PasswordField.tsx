import { useState } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Field } from '~/ui/form/Field';
import styles from './LoginPage.module.css';

/** A password field with a button that shows the password. */
export function PasswordField({
  label,
  error,
  autoComplete,
  value,
  onChange,
}: {
  label: string;
  error: string | undefined;
  autoComplete: 'current-password' | 'new-password';
  value: string;
  onChange(typed: string): void;
}) {
  const t = useMessages('login');
  const [shown, setShown] = useState(false);
  return (
    <Field name="password" label={label} error={error}>
      {(control) => (
        <div dir="ltr" className={styles.password}>
          <input
            {...control}
            type={shown ? 'text' : 'password'}
            dir="ltr"
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            required
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <button
            type="button"
            className={styles.reveal}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {t(shown ? 'password.hide' : 'password.show')}
          </button>
        </div>
      )}
    </Field>
  );
}
