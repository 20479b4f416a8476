/** When a visitor last saw the news, as stored in the browser. */
export interface Visit {
  /** Epoch seconds of the last visit. */
  at: number;
}

/** Parses a stored visit; undefined for anything else and for times in the future. */
export function visitIn(stored: unknown, now: number): Visit | undefined {
  if (typeof stored !== 'object' || stored === null || !('at' in stored)) return undefined;
  const { at } = stored;
  return typeof at === 'number' && Number.isInteger(at) && at > 0 && at <= now ? { at } : undefined;
}

/** A count as a badge text. */
export function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count);
}
