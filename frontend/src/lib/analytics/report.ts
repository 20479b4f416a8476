import { reportEvent } from '~/gen/operations';
import { ApiError, post, SELL_CLIENT } from '~/lib/api';
import { deviceOf } from '~/lib/bridge/bridge';
import type { Locale } from '~/lib/locale';
import { memberId, sessionStore } from '~/lib/session';
import { readStored, writeStored } from '~/lib/storage';

/** What an event carries beside its name. */
export type EventValue = Readonly<Record<string, string | number | boolean>>;

/** An event as it is sent, and kept while it could not be. */
export interface PendingEvent {
  eventId: string;
  eventName: string;
  eventValue: string;
  memberId: string;
  sellClient: number;
  deviceNo?: string;
}

const KEY = 'sahm-events';
/** Events kept for the next page (docs/failures.md). */
const MOST = 50;

/**
 * Reports an event. Silent: one that cannot be sent is kept with its id and
 * goes with the next page, so that it counts once.
 */
export function report(eventName: string, locale: Locale, value: EventValue = {}): void {
  send(
    {
      eventId: newEventId(Date.now(), crypto.randomUUID()),
      eventName,
      eventValue: JSON.stringify(value),
      memberId: memberId(sessionStore.get()),
      ...deviceOf(window, SELL_CLIENT),
    },
    locale,
  );
}

/**
 * A UUID of version 7 (RFC 9562): the time in milliseconds, then what is random in one of version 4.
 * Ids that begin with the time keep the service's index growing at its end.
 */
export function newEventId(now: number, random: string): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/** Sends what earlier pages could not. */
export async function flushQueue(locale: Locale): Promise<void> {
  const kept = parseQueue(readStored(KEY));
  if (kept.length === 0) return;
  writeStored(KEY, []);
  for (const event of kept) await send(event, locale);
}

async function send(event: PendingEvent, locale: Locale): Promise<void> {
  try {
    await post(reportEvent, { ...event }, { locale, keepalive: true });
  } catch (error) {
    if (isWorthKeeping(error))
      writeStored(KEY, [...parseQueue(readStored(KEY)), event].slice(-MOST));
  }
}

/** A report that was refused for what it is will be refused again. */
export function isWorthKeeping(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 0 || error.code === 429 || (error.code >= 500 && error.code < 600);
}

/** The events in what storage holds; nothing of anything else. */
export function parseQueue(stored: unknown): PendingEvent[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .filter(
      (event): event is PendingEvent =>
        typeof event?.eventId === 'string' && typeof event?.eventName === 'string',
    )
    .slice(-MOST);
}
