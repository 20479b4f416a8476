import type { CorporateEventJson } from '~/gen/sahm/quotes/v1/markets_pb';

const TYPES = ['results', 'ex_dividend', 'dividend_payment'] as const;

export type EventType = (typeof TYPES)[number];

/** The type of an event; undefined if this build does not know it. */
export function eventTypeOf({ eventType }: CorporateEventJson): EventType | undefined {
  return TYPES.find((type) => type === eventType);
}

export interface EventDay {
  /** ISO 8601, of the exchange. */
  date: string;
  events: CorporateEventJson[];
}

/** Groups events, which are ordered by date, by it; without those of unknown types. */
export function byDate(events: readonly CorporateEventJson[]): EventDay[] {
  const days: EventDay[] = [];
  for (const event of events) {
    const { date } = event;
    if (!date || !eventTypeOf(event)) continue;
    const last = days.at(-1);
    if (last?.date === date) last.events.push(event);
    else days.push({ date, events: [event] });
  }
  return days;
}
