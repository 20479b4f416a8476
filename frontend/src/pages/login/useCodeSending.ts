import { useEffect, useState } from 'react';
import { call } from '~/lib/api';
import { usePage } from '~/lib/page/page';
import { recaptchaToken } from './recaptcha';

/** Codes for logging in and signing up (specification §4). */
const SCENE_VERIFICATION = 1;
const SECOND = 1_000;

/** Sends codes, and counts the seconds until the next one may be asked for. */
export function useCodeSending() {
  const { locale } = usePage();
  const [sent, setSent] = useState(false);
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);

  useEffect(() => {
    if (until === 0) return;
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / SECOND)));
    count();
    const timer = setInterval(count, SECOND);
    return () => clearInterval(timer);
  }, [until]);

  return {
    sent,
    /** Seconds. */
    left,
    forget: () => setSent(false),
    /** Rejects with an `ApiFailure`. */
    async send(telCode: string, phone: string): Promise<void> {
      const { needed } = await call<{ needed: boolean }>(
        '/passport/auth-code/check-recaptcha',
        { telCode, phone },
        { locale },
      );
      const { retryAfter } = await call<{ retryAfter: number }>(
        '/passport/auth-code/send',
        {
          telCode,
          phone,
          scene: SCENE_VERIFICATION,
          recaptchaToken: needed ? await recaptchaToken('auth_code', locale) : undefined,
        },
        { locale },
      );
      setSent(true);
      setUntil(Date.now() + retryAfter * SECOND);
    },
  };
}
