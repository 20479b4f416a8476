import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, errorText } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** What is wrong, by the field's name; `form` for what is about none. */
export type FieldErrors = Readonly<Record<string, string | undefined>>;

/** How a failure is put; it may have to ask the server for the words. */
export type Explain = (failure: ApiError) => FieldErrors | Promise<FieldErrors>;

/**
 * A form that judges before it sends, shows what is wrong beside the fields and moves the focus to
 * the first of them.
 */
export function useForm() {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [busy, setBusy] = useState(false);
  // Every judgement moves the focus, also when it finds the same again.
  const [submitCount, setSubmitCount] = useState(0);

  useEffect(() => {
    if (submitCount === 0) return;
    const form = ref.current;
    const first = form?.querySelector<HTMLElement>('[aria-invalid], [role="alert"]:not(:empty)');
    first?.focus();
  }, [submitCount]);

  function show(found: FieldErrors): boolean {
    const any = Object.values(found).some(Boolean);
    setErrors(found);
    if (any) setSubmitCount((count) => count + 1);
    return !any;
  }

  /** Runs `send` once at a time; what it throws is shown as `explain` puts it. */
  async function run(send: () => Promise<void>, explain: Explain) {
    if (busy) return;
    setBusy(true);
    try {
      await send();
    } catch (error) {
      show(await explain(error instanceof ApiError ? error : new ApiError('service')));
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
    /** Takes a error away as soon as its field changes. */
    clear: (name: string) => setErrors((found) => ({ ...found, [name]: undefined })),
    onSubmit: (submit: () => void) => (event: FormEvent) => {
      event.preventDefault();
      submit();
    },
  };
}

/** What the server found wrong with its parameters, by their names. */
export function wrongFields({ data }: ApiError): ReadonlySet<string> {
  const { fields } = (data ?? {}) as { fields?: Record<string, string> };
  return new Set(Object.keys(fields ?? {}));
}

/** What is said of a failure that is about no field. */
export function generalError(failure: ApiError, locale: Locale, tooMany: string): string {
  return failure.code === 429 ? tooMany : errorText(failure, locale);
}
