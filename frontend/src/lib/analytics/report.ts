import { reportEvent } from '~/gen/operations';
import { ApiError, post, SELL_CLIENT } from '~/lib/api';
import { deviceOf } from '~/lib/bridge/bridge';
import type { Locale } from '~/lib/locale';
import { memberId, sessionStore } from '~/lib/session';
import { readStored, writeStored } from '~/lib/storage';

/** The parameters of an event. */
export type EventValue = Readonly<Record<string, string | number | boolean>>;

/** An event as sent, and as queued after a failure. */
export interface PendingEvent {
  eventId: string;
  eventName: string;
  eventValue: string;
  memberId: string;
  sellClient: number;
  deviceNo?: string;
}

const STORAGE_KEY = 'sahm-events';
/** Bounds the queue of events (docs/failures.md). */
const MAX_QUEUED_EVENTS = 50;

/**
 * Reports an event. Silent: an event that cannot be sent is queued with its id and sent with the
 * next page, so that it is counted once.
 */
export function report(eventName: string, locale: Locale, value: EventValue = {}): void {
  const event = {
    eventId: newEventId(Date.now(), crypto.randomUUID()),
    eventName,
    eventValue: JSON.stringify(value),
    memberId: memberId(sessionStore.get()),
    ...deviceOf(window, SELL_CLIENT),
  };
  send(event, locale).then((isDone) => {
    if (!isDone) writeStored(STORAGE_KEY, [...readQueue(), event].slice(-MAX_QUEUED_EVENTS));
  });
}

/**
 * A UUID version 7 (RFC 9562): the time in milliseconds, then the random part of a version 4. Ids
 * that start with the time are appended to the service's index.
 */
export function newEventId(now: number, random: string): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/**
 * Sends queued events of earlier pages. An event stays queued until the server has answered,
 * because the visitor may leave the page first; its id makes a second report harmless.
 */
export async function flushQueue(locale: Locale): Promise<void> {
  for (const event of readQueue()) {
    if (!(await send(event, locale))) continue;
    const remaining = readQueue().filter(({ eventId }) => eventId !== event.eventId);
    writeStored(STORAGE_KEY, remaining);
  }
}

/** Sends an event. Returns whether the server has accepted it or rejected it as invalid. */
async function send(event: PendingEvent, locale: Locale): Promise<boolean> {
  try {
    await post(reportEvent, { ...event }, { locale, keepalive: true });
    return true;
  } catch (error) {
    return !isWorthKeeping(error);
  }
}

function readQueue(): PendingEvent[] {
  return parseQueue(readStored(STORAGE_KEY));
}

/** Whether an event is worth retrying: one that the server rejected as invalid is not. */
export function isWorthKeeping(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 0 || error.code === 429 || (error.code >= 500 && error.code < 600);
}

/** Parses queued events from storage; empty for anything else. */
export function parseQueue(stored: unknown): PendingEvent[] {
  if (!Array.isArray(stored)) return [];
  return stored
    .filter(
      (event): event is PendingEvent =>
        typeof event?.eventId === 'string' && typeof event?.eventName === 'string',
    )
    .slice(-MAX_QUEUED_EVENTS);
}
