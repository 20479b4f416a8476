import { getTadawulLoginUrl } from '~/gen/operations';
import { report } from '~/lib/analytics/report';
import { apiErrorOf, errorText, post } from '~/lib/api';
import type { PendingTab } from '~/lib/links/pending-tab';
import type { Locale } from '~/lib/locale';
import { showToast } from '~/lib/toasts';

/**
 * Logs the member in to Tadawul in a tab that the click has opened. A failure closes the tab, shows
 * a message and is reported with its code or message.
 */
export async function registerTadawul(locale: Locale, tab: PendingTab): Promise<void> {
  try {
    const { url } = await post(getTadawulLoginUrl, {}, { locale });
    tab.show(url);
  } catch (error) {
    tab.close();
    const failure = apiErrorOf(error);
    showToast(errorText(failure, locale));
    const { code, text } = failure;
    report('tadawul_login_failed', locale, code ? { code } : { message: text });
  }
}
