import { call } from '~/lib/api';
import type { PagePayload } from '~/lib/page/payload';

/** Reports of one document; a page that fails in a loop does not report for ever. */
const MOST = 5;

/** Reports what nobody caught to `/log/report`: for production only (specification §7). */
export function reportErrors({ build, visitor }: PagePayload): void {
  let left = MOST;
  const told = (error: unknown) => {
    if (left-- <= 0) return;
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    call(
      '/log/report',
      { message: message || 'error', stack, url: window.location.href, build },
      { locale: visitor.locale, keepalive: true },
    ).catch(() => {});
  };
  window.addEventListener('error', ({ error, message }) => told(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => told(reason));
}
