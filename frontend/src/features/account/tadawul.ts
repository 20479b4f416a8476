import { report } from '~/features/attribution/report';
import { ApiFailure, call } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/**
 * Logs the member in to Tadawul in a new tab. A failure is reported with its code, else its
 * message, and opens nothing (specification §7).
 */
export async function registerTadawul(locale: Locale, open = openTab): Promise<void> {
  try {
    const { url } = await call<{ url: string }>('/openaccount/getTadawulLoginUrl', {}, { locale });
    open(url);
  } catch (error) {
    const { code = 0, text = '' } = error instanceof ApiFailure ? error : {};
    report('tadawul_login_failed', locale, code ? { code } : { message: text });
  }
}

function openTab(url: string) {
  window.open(url, '_blank', 'noopener');
}
