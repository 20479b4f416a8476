import type { checkMember, ResultOf } from '~/gen/operations';
import { createStore } from './store';

/** The one who looks, as the login check tells. */
export type UserInfo = Omit<ResultOf<typeof checkMember>, 'id'>;

/** A campaign whose joining was broken off by a login. */
export interface SeedAbort {
  /** The campaign's id; 0 for none. */
  id: number;
  isShow: boolean;
}

/** What the browser knows of the one who looks. */
export interface Session {
  /** Absent until the first check has answered: then what the document says holds. */
  user?: UserInfo;
  /** The member whom the document was made for, decimal. */
  documentMid?: string | undefined;
  /** Their Sahm ID. */
  documentHsNo?: string | undefined;
  /** Epoch milliseconds; once it is past, a route change checks again. */
  loginExpiredTime: number;
  seedAbort: SeedAbort;
}

/** How long a checked login counts as known. */
const LOGIN_EXPIRY_MS = 60_000;

export const NO_ABORT: SeedAbort = { id: 0, isShow: false };
const ABORT_KEY = 'sahm-seed-abort';

export const sessionStore = createStore<Session>({ loginExpiredTime: 0, seedAbort: NO_ABORT });

/** A member's own values, which the server adds to a document after its shared part (docs/members-pages.md). */
interface DocumentMember {
  hsNo?: string;
  mid?: string;
}

/** The values of the member whom this document was made for; none in a visitor's. */
export function documentMember(): DocumentMember {
  const json = document.getElementById('sahm-member')?.textContent;
  return json ? (JSON.parse(json) as DocumentMember) : {};
}

/** Whom events count for: a member's id, '0' for a visitor. */
export function memberId({ user, documentMid }: Session): string {
  return (user ? user.mid : documentMid) ?? '0';
}

/** When a check made now expires: now, and a minute later for one who is logged in. */
export function expiryOf(now: number, logined: boolean): number {
  return now + (logined ? LOGIN_EXPIRY_MS : 0);
}

/** Whether a route change at `now` asks again. */
export function isExpired(now: number, { loginExpiredTime }: Session): boolean {
  return now > loginExpiredTime;
}

/** Notes, or forgets, a joining that a login interrupts; it outlives the way to the login page. */
export function setSeedAbort(seedAbort: SeedAbort): void {
  try {
    window.sessionStorage.setItem(ABORT_KEY, JSON.stringify(seedAbort));
  } catch {
    // Then it does not outlive it.
  }
  sessionStore.update({ seedAbort });
}

/** Reads what was noted before this document was loaded. */
export function restoreSeedAbort(): void {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(ABORT_KEY) ?? 'null');
    if (isSeedAbort(kept)) sessionStore.update({ seedAbort: kept });
  } catch {
    // Nothing that can be read was noted.
  }
}

function isSeedAbort(value: unknown): value is SeedAbort {
  if (typeof value !== 'object' || value === null) return false;
  const { id, isShow } = value as Partial<SeedAbort>;
  return Number.isInteger(id) && typeof isShow === 'boolean';
}
