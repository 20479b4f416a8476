import { useEffect, useState } from 'react';
import { checkRecaptcha, sendAuthCode } from '~/gen/operations';
import { post } from '~/lib/api';
import { usePage } from '~/lib/page/page';
import { recaptchaToken } from './recaptcha';

/** Verification codes for logging in and signing up. */
const SCENE_VERIFICATION = 1;
const SECOND_MS = 1_000;
/** Storage key of the last `SentCode`, which survives a reload. */
const STORAGE_KEY = 'sahm-code-wait';

/** The last code sent. The server limits codes for each number. */
interface SentCode {
  telCode: string;
  phone: string;
  /** When the next code may be sent, in epoch milliseconds. */
  end: number;
}

/** Sends codes to a number and counts down to its next one. */
export function useCodeSending(telCode: string, phone: string) {
  const { locale } = usePage();
  const [lastCode, setLastCode] = useState<SentCode>();
  const isSent = lastCode?.telCode === telCode && lastCode.phone === phone;
  const until = isSent ? lastCode.end : 0;
  const [left, setLeft] = useState(0);
  const [wait, setWait] = useState(0);

  useEffect(() => setLastCode(storedCode()), []);

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
    isSent,
    /** Seconds left. */
    left,
    /** Seconds at the start of the countdown. */
    wait,
    /** Rejects with an `ApiError`. */
    async send(): Promise<void> {
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
      const code = { telCode, phone, end: Date.now() + retryAfter * SECOND_MS };
      setLastCode(code);
      store(code);
    },
  };
}

function storedCode(): SentCode | undefined {
  try {
    const stored: SentCode | null = JSON.parse(
      window.sessionStorage.getItem(STORAGE_KEY) ?? 'null',
    );
    return stored && stored.end > Date.now() ? stored : undefined;
  } catch {
    return undefined;
  }
}

function store(code: SentCode) {
  try {
    window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(code));
  } catch {
    // Without storage the wait ends with the page; the server still enforces it.
  }
}
