import { useEffect, useState } from 'react';
import { checkRecaptcha, sendAuthCode } from '~/gen/operations';
import { post } from '~/lib/api';
import { usePage } from '~/lib/page/page';
import { recaptchaToken } from './recaptcha';

/** Verification codes for logging in and signing up. */
const SCENE_VERIFICATION = 1;
const SECOND_MS = 1_000;
/** Storage key of the end of the wait in epoch milliseconds, which survives a reload. */
const STORAGE_KEY = 'sahm-code-wait';

/** Sends codes and counts down to the next one. */
export function useCodeSending() {
  const { locale } = usePage();
  const [sent, setSent] = useState(false);
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  const [wait, setWait] = useState(0);

  useEffect(() => setUntil(storedEnd()), []);

  useEffect(() => {
    const secondsLeft = () => Math.max(0, Math.ceil((until - Date.now()) / SECOND_MS));
    setWait(secondsLeft());
    setLeft(secondsLeft());
    if (secondsLeft() === 0) return;
    const timer = setInterval(() => {
      setLeft(secondsLeft());
      if (secondsLeft() === 0) clearInterval(timer);
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [until]);

  return {
    sent,
    /** Seconds left. */
    left,
    /** Seconds at the start of the countdown. */
    wait,
    forget: () => setSent(false),
    /** Rejects with an `ApiError`. */
    async send(telCode: string, phone: string): Promise<void> {
      const { needed } = await post(checkRecaptcha, { telCode, phone }, { locale });
      const { retryAfter } = await post(
        sendAuthCode,
        {
          telCode,
          phone,
          scene: SCENE_VERIFICATION,
          recaptchaToken: needed ? await recaptchaToken('auth_code', locale) : undefined,
        },
        { locale },
      );
      const end = Date.now() + retryAfter * SECOND_MS;
      setSent(true);
      setUntil(end);
      store(end);
    },
  };
}

function storedEnd(): number {
  try {
    return Number(window.sessionStorage.getItem(STORAGE_KEY)) || 0;
  } catch {
    return 0;
  }
}

function store(end: number) {
  try {
    window.sessionStorage.setItem(STORAGE_KEY, String(end));
  } catch {
    // Without storage the wait ends with the page; the server still enforces it.
  }
}
