import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type BrowserContext, test } from '@playwright/test';
import { origin } from './site.ts';

/** Members of a development database (services/identity/README.md), by their telephone numbers. */
export const MEMBERS = {
  /** Without an account; one per test file, so that tests do not interfere. */
  unopened: '500000002',
  joiner: { 'en-us': '500000003', 'ar-sa': '500000004' },
  /** The application for an account needs corrections. */
  toCorrect: '500000005',
  /** With an account, not for Saudi stocks. */
  opened: '500000006',
  /** With an account for Saudi stocks: SA-10000007. */
  saudi: '500000007',
} as const;

const PASSWORD = 'Sahm#2026dev';

const loginUrl = () => `${origin()}/api/passport/password/login`;

/** Logs a member in and returns the session's cookie header. */
export async function sessionOf(account: string): Promise<string> {
  const body = new URLSearchParams({ account, password: PASSWORD });
  const response = await fetch(loginUrl(), { method: 'POST', body });
  if (!response.ok) throw new Error(`member ${account} cannot log in: ${response.status}`);
  const cookies = response.headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

/** Logs a member in to a browser context. */
export async function logIn(context: BrowserContext, account: string): Promise<void> {
  const answer = await context.request.post(loginUrl(), { form: { account, password: PASSWORD } });
  if (!answer.ok()) throw new Error(`member ${account} cannot log in: ${answer.status()}`);
}

/**
 * Logs a member in to a browser context with one session for all tests of a run, because a member may
 * log in ten times in five minutes (docs/limits-and-timeouts.md). The session is in a file, because a
 * failed test ends its worker. Not for tests that end the session.
 */
export async function actAs(context: BrowserContext, account: string): Promise<void> {
  const { outputDir } = test.info().project;
  const file = `${outputDir}/session-${account}.json`;
  if (existsSync(file)) return context.addCookies(JSON.parse(readFileSync(file, 'utf8')));
  await logIn(context, account);
  const cookies = await context.cookies(origin());
  const session = cookies.filter(({ name }) => name.endsWith('sahm_session'));
  mkdirSync(outputDir, { recursive: true });
  // Written to another file and renamed, so that other workers never read a partial file.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(session));
  renameSync(`${file}.${process.pid}`, file);
}

let phones = 0;

/** An unused Saudi number. */
export function newPhone(): string {
  phones += 1;
  return `50${String(Date.now() + phones).slice(-7)}`;
}

/** The local SMS provider's latest code for a number (docs/configuration.md). */
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
