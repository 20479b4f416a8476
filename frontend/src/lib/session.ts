import type { checkMember, ResultOf } from '~/gen/operations';
import { readStored, writeStored } from './storage';
import { createStore } from './store';

/** The user as the login check reports it. */
export type UserInfo = Omit<ResultOf<typeof checkMember>, 'id'>;

/** A campaign that the visitor was joining when a login was required. */
export interface SeedAbort {
  /** The campaign's id; 0 for none. */
  id: number;
  isShow: boolean;
}

/** The login state of the browser. */
export interface Session {
  /** Absent until the first login check; the document's values apply meanwhile. */
  user?: UserInfo;
  /** Id of the member for whom the document was rendered, decimal. */
  documentMid?: string | undefined;
  /** The member's Sahm ID. */
  documentHsNo?: string | undefined;
  /** Epoch milliseconds after which a navigation checks the login again. */
  loginExpiredTime: number;
  seedAbort: SeedAbort;
}

/** How long the result of a login check is valid. */
const LOGIN_EXPIRY_MS = 60_000;

export const NO_ABORT: SeedAbort = { id: 0, isShow: false };
const ABORT_KEY = 'sahm-seed-abort';

export const sessionStore = createStore<Session>({ loginExpiredTime: 0, seedAbort: NO_ABORT });

/**
 * A member's own values, which the server adds to a document after its shared part
 * (docs/members-pages.md).
 */
interface DocumentMember {
  hsNo?: string;
  mid?: string;
}

/** The values of the member for whom this document was rendered; empty for visitors. */
export function documentMember(): DocumentMember {
  const json = document.getElementById('sahm-member')?.textContent;
  return json ? (JSON.parse(json) as DocumentMember) : {};
}

/** The member id of events, '0' for visitors. */
export function memberId({ user, documentMid }: Session): string {
  return (user ? user.mid : documentMid) ?? '0';
}

/**
 * When the result of a login check expires: immediately for visitors, after a minute for members.
 */
export function expiryOf(now: number, logined: boolean): number {
  return now + (logined ? LOGIN_EXPIRY_MS : 0);
}

/** Whether a navigation at `now` checks the login again. */
export function isExpired(now: number, { loginExpiredTime }: Session): boolean {
  return now > loginExpiredTime;
}

/** Stores or clears the campaign to join after the login; the value survives the login page. */
export function setSeedAbort(seedAbort: SeedAbort): void {
  writeStored(ABORT_KEY, seedAbort, 'sessionStorage');
  sessionStore.update({ seedAbort });
}

/** Restores the value that an earlier document stored. */
export function restoreSeedAbort(): void {
  const storedAbort = readStored(ABORT_KEY, 'sessionStorage');
  if (isSeedAbort(storedAbort)) sessionStore.update({ seedAbort: storedAbort });
}

function isSeedAbort(value: unknown): value is SeedAbort {
  if (typeof value !== 'object' || value === null) return false;
  const { id, isShow } = value as Partial<SeedAbort>;
  return Number.isInteger(id) && typeof isShow === 'boolean';
}
