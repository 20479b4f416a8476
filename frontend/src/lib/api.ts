import type { Operation } from '~/gen/operations';
import { fetchWithTimeout, isAbort, isTimeout } from '~/lib/fetch-with-timeout';
import { LOCALES, type Locale } from '~/lib/locale';
import { translator } from '~/lib/messages/messages';
import { showToast } from '~/lib/toasts';

/** The website's client type in checks and reports. */
export const SELL_CLIENT = 10;

/** Codes of the response envelope. */
const CODE_SUCCESS = 10_000_000;
const CODE_NOT_LOGGED_IN = 10_000_006;
const CODE_SESSION_EXPIRED = 10_000_007;
export const CODE_SIGNATURE_INVALID = 10_030_001;

/** The response envelope. */
export interface Envelope {
  code: number;
  msg: string;
  error: string;
  errorHK: string;
  data: unknown;
}

/** Kinds of failures that are shown differently. */
export type ApiErrorKind =
  /**
   * Not logged in (401) or the session has expired: the login page is shown instead of a message.
   */
  | 'login'
  /** The caller aborted the call: no message. */
  | 'cancelled'
  | 'timeout'
  | 'service';

/** A failed call. `text` is the server's message in the caller's language. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** The envelope's code, the HTTP status, or 0 without a response. */
  readonly code: number;
  readonly text: string;
  /** The envelope's data, for instance `fields` of wrong parameters. */
  readonly data: unknown;
  /** The envelope's stable name of the error. */
  readonly error: string;

  constructor(kind: ApiErrorKind, code = 0, text = '', data: unknown = null, error = '') {
    super(`call failed: ${kind} ${code}`);
    this.kind = kind;
    this.code = code;
    this.text = text;
    this.data = data;
    this.error = error;
  }

  /** Operators have turned the call off; `text` explains it. */
  get isTurnedOff(): boolean {
    return this.error === 'turned_off';
  }
}

type Scalar = string | number | boolean | undefined;

/** The parameters of an operation. All are scalars, as in a form. Every call takes `_lang`. */
export type ParametersOf<Request> = { readonly [P in keyof Request | '_lang']?: Scalar };

export interface CallOptions {
  locale: Locale;
  signal?: AbortSignal;
  /** Lets the call outlive the page, for reports. */
  keepalive?: boolean;
}

/** The path of an operation on this site. */
export function pathOf(operation: Operation<unknown, unknown>): string {
  return `/api${operation}`;
}

/**
 * Calls an operation by POST with a form body and returns the envelope's data: the result message
 * with defaults, absent messages as `null`. No retries. Rejects with an `ApiError`.
 */
export async function post<Request, Response>(
  operation: Operation<Request, Response>,
  parameters: ParametersOf<Request>,
  { locale, signal, keepalive = false }: CallOptions,
): Promise<Response> {
  try {
    const data = await fetchWithTimeout(
      pathOf(operation),
      {
        method: 'POST',
        body: formOf({ ...parameters, lang: LOCALES[locale].tag }),
        credentials: 'same-origin',
        keepalive,
        signal: signal ?? null,
      },
      async (answer) => dataOf(answer.status, await envelopeOf(answer)),
    );
    return data as Response;
  } catch (error) {
    throw apiErrorOf(error);
  }
}

/** Which messages a call shows. */
export interface ToastOptions extends CallOptions {
  /** Shown on success. */
  sucMsg?: string;
  /** Shown instead of the failure's own text. */
  errMsg?: string;
  /** Failures show no message. */
  isHide?: boolean;
}

export type Result<T> = { success: true; data: T } | { success: false; failure: ApiError };

/**
 * Calls like `post` and shows a message about the outcome. With `noError` it resolves with
 * `success` false instead of rejecting.
 */
export async function postWithToast<Request, Response>(
  operation: Operation<Request, Response>,
  parameters: ParametersOf<Request>,
  options: ToastOptions & { noError: true },
): Promise<Result<Response>>;
export async function postWithToast<Request, Response>(
  operation: Operation<Request, Response>,
  parameters: ParametersOf<Request>,
  options: ToastOptions,
): Promise<{ success: true; data: Response }>;
export async function postWithToast<Request, Response>(
  operation: Operation<Request, Response>,
  parameters: ParametersOf<Request>,
  { sucMsg, errMsg, isHide, noError, ...options }: ToastOptions & { noError?: boolean },
): Promise<Result<Response>> {
  try {
    const data = await post(operation, parameters, options);
    if (sucMsg) showToast(sucMsg, 'success');
    return { success: true, data };
  } catch (error) {
    const failure = apiErrorOf(error);
    const text = errorText(failure, options.locale);
    if (!isHide && text) showToast(errMsg ?? text);
    if (!noError) throw failure;
    return { success: false, failure };
  }
}

/**
 * The message of a failure: the server's text, else that of its code, else a general one. Empty for
 * required logins and aborted calls.
 */
export function errorText(failure: ApiError, locale: Locale): string {
  const key = errorKey(failure);
  if (!key) return '';
  const t = translator(locale, 'common');
  return failure.text || t(CODE_KEYS[failure.code] ?? key);
}

/** Shows the message of a failure without a response. */
export function toastError(kind: ApiErrorKind, locale: Locale): void {
  showToast(errorText(new ApiError(kind), locale));
}

/** The message keys of codes for content that does not exist. */
const CODE_KEYS: Readonly<
  Record<number, 'failure.article' | 'failure.course' | 'failure.document' | undefined>
> = {
  20390030: 'failure.article',
  20360014: 'failure.course',
  30010002: 'failure.document',
};

/** The message key of a failure without its own text; undefined if nothing is shown. */
export function errorKey({
  kind,
}: Pick<ApiError, 'kind'>): 'failure.service' | 'failure.timeout' | undefined {
  if (kind === 'timeout') return 'failure.timeout';
  return kind === 'service' ? 'failure.service' : undefined;
}

/** The data of a successful response; throws otherwise. */
export function dataOf(status: number, envelope: Partial<Envelope> | undefined): unknown {
  const code = envelope?.code ?? status;
  if (envelope && code === CODE_SUCCESS) return envelope.data ?? null;
  const login = status === 401 || code === CODE_NOT_LOGGED_IN || code === CODE_SESSION_EXPIRED;
  // An invalid signature is shown as a generic error.
  const text = code === CODE_SIGNATURE_INVALID ? '' : (envelope?.msg ?? '');
  throw new ApiError(
    login ? 'login' : 'service',
    code,
    text,
    envelope?.data ?? null,
    envelope?.error,
  );
}

export async function envelopeOf(response: Response): Promise<Partial<Envelope> | undefined> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return undefined;
  return (await response.json()) as Partial<Envelope>;
}

function formOf(parameters: Readonly<Record<string, Scalar>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) form.set(name, String(value));
  }
  return form;
}

/** The error of a call as an `ApiError`. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTimeout(error)) return new ApiError('timeout');
  return new ApiError(isAbort(error) ? 'cancelled' : 'service');
}
