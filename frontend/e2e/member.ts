import { existsSync, readFileSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';
import { origin } from './site.ts';

/** Members of a development database (services/identity/README.md), by their telephone numbers. */
export const MEMBERS = {
  /** Accounts not opened; each its own, so that tests do not meet. */
  unopened: '500000002',
  joiner: { 'en-us': '500000003', 'ar-sa': '500000004' },
  /** Asked to correct the details of the application. */
  toCorrect: '500000005',
  /** Opened, not for Saudi stocks. */
  opened: '500000006',
  /** Opened for Saudi stocks too: SA-10000007. */
  saudi: '500000007',
} as const;

const PASSWORD = 'Sahm#2026dev';

/** Logs a browser's context in; its pages are the member's from then on. */
export async function logIn(context: BrowserContext, account: string): Promise<void> {
  const answer = await context.request.post(`${origin()}/api/passport/password/login`, {
    form: { account, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(`member ${account} cannot log in: ${answer.status()}`);
}

const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>();

/**
 * Makes a browser's context a member's, in one session for all tests of a file: of one member ten
 * logins in five minutes are taken (docs/limits-and-timeouts.md). Not for tests that end the session.
 */
export async function actAs(context: BrowserContext, account: string): Promise<void> {
  const known = sessions.get(account);
  if (known) return context.addCookies(known);
  await logIn(context, account);
  const cookies = await context.cookies(origin());
  sessions.set(
    account,
    cookies.filter(({ name }) => name.endsWith('sahm_session')),
  );
}

let phones = 0;

/** A Saudi number that no member has. */
export function newPhone(): string {
  phones += 1;
  return `50${String(Date.now() + phones).slice(-7)}`;
}

/** The newest code that the local SMS provider wrote for a number (docs/configuration.md). */
export function codeFor(phone: string): string | undefined {
  const outbox = process.env.SAHM_E2E_OUTBOX;
  if (!outbox) throw new Error('SAHM_E2E_OUTBOX names no sms.jsonl');
  if (!existsSync(outbox)) return undefined;
  return readFileSync(outbox, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { phone: string; code: string })
    .findLast((message) => message.phone === phone)?.code;
}

export { PASSWORD };
