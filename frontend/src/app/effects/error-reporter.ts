import { reportLog } from '~/gen/operations';
import { post } from '~/lib/api';
import type { PagePayload } from '~/lib/page/payload';

/** Limit for one document, so that a page that fails in a loop stops reporting. */
const MAX_REPORTS = 5;

/** Reports each distinct error once to the server; in production only. */
export function errorReporter({ build, visitor }: PagePayload): (error: unknown) => void {
  const reported = new Set<unknown>();
  return (error) => {
    if (reported.has(error) || reported.size >= MAX_REPORTS) return;
    reported.add(error);
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    post(
      reportLog,
      { message: message || 'error', stack, url: window.location.href, build },
      { locale: visitor.locale, keepalive: true },
    ).catch(() => {});
  };
}
