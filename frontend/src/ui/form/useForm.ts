import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type ApiError, apiErrorOf, errorText } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** Errors by field name; `form` for errors of no field. */
export type FieldErrors = Readonly<Record<string, string | undefined>>;

/** Describes a failure; may ask the server for the text. */
export type Explain = (failure: ApiError) => FieldErrors | Promise<FieldErrors>;

/**
 * A form that validates before it sends, shows errors next to their fields and moves focus to the
 * first of them.
 */
export function useForm() {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [busy, setBusy] = useState(false);
  // Each submission moves the focus to the first invalid field, even if the errors are the same as before.
  const [submitCount, setSubmitCount] = useState(0);

  useEffect(() => {
    if (submitCount === 0) return;
    const form = ref.current;
    const first = form?.querySelector<HTMLElement>('[aria-invalid], [role="alert"]:not(:empty)');
    first?.focus();
  }, [submitCount]);

  /** Shows errors instead of the previous ones. Returns whether there are none. */
  function show(found: FieldErrors): boolean {
    setErrors(found);
    setSubmitCount((count) => count + 1);
    return !Object.values(found).some(Boolean);
  }

  /** Runs `send`, one at a time; shows its errors as described by `explain`. */
  async function run(send: () => Promise<void>, explain: Explain) {
    if (busy) return;
    setBusy(true);
    try {
      await send();
    } catch (error) {
      show(await explain(apiErrorOf(error)));
    } finally {
      setBusy(false);
    }
  }

  return {
    ref,
    errors,
    busy,
    show,
    run,
    /** Removes an error when its field changes. */
    clear: (name: string) => setErrors((found) => ({ ...found, [name]: undefined })),
    onSubmit: (submit: () => void) => (event: FormEvent) => {
      event.preventDefault();
      submit();
    },
  };
}

/** The server's errors by parameter name. */
export function wrongFields({ data }: ApiError): ReadonlySet<string> {
  const { fields } = (data ?? {}) as { fields?: Record<string, string> };
  return new Set(Object.keys(fields ?? {}));
}

/** The message of a failure that belongs to no field. */
export function generalError(failure: ApiError, locale: Locale, tooMany: string): string {
  return failure.code === 429 ? tooMany : errorText(failure, locale);
}
