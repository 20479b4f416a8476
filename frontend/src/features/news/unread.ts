/** What a visitor has seen of the news, as the browser keeps it. */
export interface Visit {
  /** Epoch seconds of the last visit. */
  at: number;
}

/** The last visit in what was stored; nothing in anything else, nor in a time to come. */
export function visitIn(stored: unknown, now: number): Visit | undefined {
  if (typeof stored !== 'object' || stored === null || !('at' in stored)) return undefined;
  const { at } = stored;
  return typeof at === 'number' && Number.isInteger(at) && at > 0 && at <= now ? { at } : undefined;
}

/** A count as a badge shows it. */
export function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count);
}
