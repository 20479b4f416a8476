import { ApiError, dataOf, type Envelope } from '~/lib/api';
import { LOCALES, type Locale } from '~/lib/locale';
import type { FeedbackTexts } from './check';

/** The form's action, also used without scripts. */
export const FEEDBACK_ACTION = '/api/woms/feedback/submit';

/** Timeout for pictures on slow connections, the same as the gateway's. */
const UPLOAD_TIME = 60_000;

/**
 * Sends feedback with its pictures and returns its ticket. Texts precede files, as the call
 * requires. Rejects with an `ApiError`.
 */
export async function submitFeedback(
  locale: Locale,
  { subject, content, contact }: FeedbackTexts,
  files: readonly File[],
): Promise<string> {
  const form = new FormData();
  form.set('lang', LOCALES[locale].tag);
  form.set('subject', subject);
  form.set('content', content);
  form.set('contact', contact);
  for (const file of files) form.append('files', file, file.name);
  let status: number;
  let envelope: Partial<Envelope> | undefined;
  try {
    const response = await fetch(FEEDBACK_ACTION, {
      method: 'POST',
      body: form,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(UPLOAD_TIME),
    });
    status = response.status;
    envelope = (await response.json().catch(() => undefined)) as Partial<Envelope> | undefined;
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    throw new ApiError(late ? 'timeout' : 'service');
  }
  const { ticket } = dataOf(status, envelope) as { ticket: string };
  return ticket;
}
