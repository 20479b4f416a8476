import { cookieOf } from '~/lib/cookies';
import type { EventValue } from './report';

/** Where a visitor came from, as the server noted it. */
export interface ShareData {
  pid: string;
  scnl: string;
  c: string;
}

const COOKIE = 'sahm_spm_share_data';
/** What the cookie says of a visitor whom no campaign brought. Pages from a CDN set no cookie. */
const NO_CAMPAIGN: ShareData = { pid: '', scnl: '', c: '' };
const SEEN = 'sahm-visit';

/** The cookie `sahm_spm_share_data`; nothing where it is malformed. */
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
 * The visit to report: once in a browser session, and once more when a new campaign brought the
 * visitor. `seen` is what the last report was about.
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

/** What is to be reported of this visit, noted as reported. */
export function takeVisit(page: string): EventValue | undefined {
  try {
    const visit = visitOf(shareDataOf(document.cookie), page, window.sessionStorage.getItem(SEEN));
    if (visit) window.sessionStorage.setItem(SEEN, visit.seen);
    return visit?.value;
  } catch {
    // Without storage a visit would be reported with every page.
    return undefined;
  }
}
