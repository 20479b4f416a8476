import { Field } from '~/ui/form/Field';

/** The field of an invite code, with the label of its form. */
export function InviteCodeField({
  label,
  error,
  value,
  className,
  onChange,
  onBlur,
}: {
  label: string;
  error: string | undefined;
  value: string;
  className?: string | undefined;
  onChange(typed: string): void;
  onBlur?(): void;
}) {
  return (
    <Field name="inviteCode" label={label} error={error} className={className}>
      {(control) => (
        <input
          {...control}
          type="text"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          value={value}
          onChange={({ target }) => onChange(target.value.trim())}
          onBlur={onBlur}
        />
      )}
    </Field>
  );
}
