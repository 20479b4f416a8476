import { cookieOf } from '~/lib/cookies';
import type { EventValue } from './report';

/** A visitor's origin, as recorded by the server. */
export interface ShareData {
  pid: string;
  scnl: string;
  c: string;
}

const COOKIE = 'sahm_spm_share_data';
/** The value of the cookie for visitors without a campaign. Pages from a CDN set no cookie. */
const NO_CAMPAIGN: ShareData = { pid: '', scnl: '', c: '' };
const VISIT_KEY = 'sahm-visit';

/** Parses the cookie `sahm_spm_share_data`; undefined if it is malformed. */
export function shareDataOf(cookies: string): ShareData | undefined {
  try {
    const data: unknown = JSON.parse(decodeURIComponent(cookieOf(cookies, COOKIE) ?? ''));
    if (typeof data !== 'object' || data === null) return undefined;
    const { pid, scnl, c } = data as Record<string, unknown>;
    return { pid: textOf(pid), scnl: textOf(scnl), c: textOf(c) };
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * The visit to report: once for each browser session, and again when a new campaign brought the
 * visitor. `seen` is the last reported visit.
 */
export function visitOf(
  share: ShareData | undefined,
  page: string,
  seen: string | null,
): { value: EventValue; seen: string } | undefined {
  const mark = JSON.stringify(share ?? NO_CAMPAIGN);
  if (mark === seen || (seen !== null && !share)) return undefined;
  return { value: { page, ...(share ?? {}) }, seen: mark };
}

/** The visit to report, marked as reported. */
export function takeVisit(page: string): EventValue | undefined {
  try {
    const visit = visitOf(
      shareDataOf(document.cookie),
      page,
      window.sessionStorage.getItem(VISIT_KEY),
    );
    if (visit) window.sessionStorage.setItem(VISIT_KEY, visit.seen);
    return visit?.value;
  } catch {
    // Without storage each page would report a visit.
    return undefined;
  }
}
