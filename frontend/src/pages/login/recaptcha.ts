import { getWebConfig } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { waitFor } from '~/lib/wait-for';

/** The web config item with the reCAPTCHA site key. */
const SITE_KEY = 'RECAPTCHA_SITE_KEY';
const SCRIPT = 'https://www.google.com/recaptcha/api.js';
/** Limit for the script that `api.js` loads: if it hangs or is blocked, nothing reports it. */
const TOKEN_TIMEOUT_MS = 10_000;

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
 * A reCAPTCHA token for an action. Without a site key, as in development, a token that only the
 * local stand-in accepts. Rejects with a `TimeoutError` if the provider hangs.
 */
export async function recaptchaToken(action: string, locale: Locale): Promise<string> {
  const { items } = await post(getWebConfig, { keys: SITE_KEY, ctype: 'commons' }, { locale });
  const siteKey = items.find(({ key }) => key === SITE_KEY)?.value;
  if (!siteKey) return `web-${crypto.randomUUID()}`;
  const recaptcha = window.grecaptcha ?? (await loadRecaptcha(siteKey));
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new DOMException('no token', 'TimeoutError')), TOKEN_TIMEOUT_MS);
    recaptcha.ready(() => recaptcha.execute(siteKey, { action }).then(resolve, reject));
  });
}

function loadRecaptcha(siteKey: string): Promise<Recaptcha> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${SCRIPT}?render=${encodeURIComponent(siteKey)}`;
    script.onerror = () => reject(new Error('no reCAPTCHA'));
    document.head.append(script);
    // Times out if the provider hangs, because its script then reports nothing.
    waitFor(() => window.grecaptcha).then(resolve, reject);
  });
}
