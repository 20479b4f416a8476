import { getWebConfig } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { waitFor } from '~/lib/wait-for';

/** The web config item that names the site at the reCAPTCHA provider. */
const SITE_KEY = 'RECAPTCHA_SITE_KEY';
const SCRIPT = 'https://www.google.com/recaptcha/api.js';

interface Recaptcha {
  ready(done: () => void): void;
  execute(siteKey: string, options: { action: string }): Promise<string>;
}

declare global {
  interface Window {
    grecaptcha?: Recaptcha;
  }
}

/**
 * A token for an action. Without a site key, as in a development install, it is one that only the
 * local provider takes for a person's.
 */
export async function recaptchaToken(action: string, locale: Locale): Promise<string> {
  const { items } = await post(getWebConfig, { keys: SITE_KEY, ctype: 'commons' }, { locale });
  const siteKey = items.find(({ key }) => key === SITE_KEY)?.value;
  if (!siteKey) return `web-${crypto.randomUUID()}`;
  const recaptcha = window.grecaptcha ?? (await loadRecaptcha(siteKey));
  await new Promise<void>((resolve) => recaptcha.ready(resolve));
  return recaptcha.execute(siteKey, { action });
}

function loadRecaptcha(siteKey: string): Promise<Recaptcha> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${SCRIPT}?render=${encodeURIComponent(siteKey)}`;
    script.onerror = () => reject(new Error('no reCAPTCHA'));
    document.head.append(script);
    // A provider that hangs is given up; its script tells of nothing then.
    waitFor(() => window.grecaptcha).then(resolve, reject);
  });
}
