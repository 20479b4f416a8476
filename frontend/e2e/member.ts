import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type BrowserContext, test } from '@playwright/test';
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

const loginUrl = () => `${origin()}/api/passport/password/login`;

/** Logs a member in and returns the cookies of the session, as a header. */
export async function sessionOf(account: string): Promise<string> {
  const body = new URLSearchParams({ account, password: PASSWORD });
  const response = await fetch(loginUrl(), { method: 'POST', body });
  if (!response.ok) throw new Error(`member ${account} cannot log in: ${response.status}`);
  const cookies = response.headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

/** Logs a browser's context in; its pages are the member's from then on. */
export async function logIn(context: BrowserContext, account: string): Promise<void> {
  const answer = await context.request.post(loginUrl(), { form: { account, password: PASSWORD } });
  if (!answer.ok()) throw new Error(`member ${account} cannot log in: ${answer.status()}`);
}

/**
 * Makes a browser's context a member's, in one session for all tests of a run: of one member ten
 * logins in five minutes are taken (docs/limits-and-timeouts.md), and a failed test ends its worker.
 * Not for tests that end the session.
 */
export async function actAs(context: BrowserContext, account: string): Promise<void> {
  const { outputDir } = test.info().project;
  const file = `${outputDir}/session-${account}.json`;
  if (existsSync(file)) return context.addCookies(JSON.parse(readFileSync(file, 'utf8')));
  await logIn(context, account);
  const cookies = await context.cookies(origin());
  const session = cookies.filter(({ name }) => name.endsWith('sahm_session'));
  mkdirSync(outputDir, { recursive: true });
  // Renamed, so that the other worker reads all of it or nothing.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(session));
  renameSync(`${file}.${process.pid}`, file);
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
