import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';

/** Securities that one stream carries. */
export const MAX_STREAM_CODES = 50;
/** A stream that the server refused is tried again after this. */
export const STREAM_REOPEN_MS = 30_000;

/** Prices kept of each security, for its sparkline. */
const HISTORY = 60;
const NONE: readonly Point[] = [];

/** A price as it was at a time (epoch seconds). */
export interface Point {
  time: number;
  price: number;
}

interface Watched {
  quote?: QuoteJson;
  history: readonly Point[];
  listeners: Set<() => void>;
}

/**
 * The page's one stream of quotes: every security that any component watches, over one
 * `EventSource` on `/api/hq/stream`. Closed while the page is hidden or nothing is watched. The
 * browser reconnects it; where the server refused it, it is tried again later.
 */
export class QuoteStream {
  private readonly securities = new Map<string, Watched>();
  private readonly open: (url: string) => EventSource;
  private source: EventSource | undefined;
  private shown = '';
  private planned = false;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(open = (url: string) => new EventSource(url)) {
    this.open = open;
  }

  /** Watches a security; gives what ends it. `changed` is called after each new quote. */
  watch(code: string, changed: () => void): () => void {
    const watched = this.securities.get(code) ?? { history: NONE, listeners: new Set() };
    this.securities.set(code, watched);
    // One of its own each time, so that who watches twice stops twice.
    const listener = () => changed();
    watched.listeners.add(listener);
    this.plan();
    return () => {
      watched.listeners.delete(listener);
      this.plan();
    };
  }

  /** The newest quote that came, if any. */
  quote(code: string): QuoteJson | undefined {
    return this.securities.get(code)?.quote;
  }

  /** The prices that came, oldest first; the same array until another comes. */
  history(code: string): readonly Point[] {
    return this.securities.get(code)?.history ?? NONE;
  }

  // Components of one page start and stop watching together: one look after them all.
  private plan() {
    if (this.planned) return;
    this.planned = true;
    queueMicrotask(() => {
      this.planned = false;
      this.adjust();
    });
  }

  private readonly adjust = () => {
    const codes = [...this.securities]
      .filter(([code, { listeners }]) => code !== '' && listeners.size > 0)
      .map(([code]) => code)
      .sort()
      .slice(0, MAX_STREAM_CODES);
    const wanted = codes.join(',');
    document.removeEventListener('visibilitychange', this.adjust);
    if (wanted !== '') document.addEventListener('visibilitychange', this.adjust);
    const next = document.visibilityState === 'hidden' ? '' : wanted;
    if (next === this.shown && this.later === undefined) return;
    this.close();
    this.shown = next;
    if (next !== '') this.connect(next);
  };

  private connect(codes: string) {
    const source = this.open(`/api/hq/stream?codes=${encodeURIComponent(codes)}`);
    this.source = source;
    const take = (event: MessageEvent<string>) => this.take(event.data);
    source.addEventListener('snapshot', take);
    source.addEventListener('quote', take);
    source.addEventListener('error', () => {
      // Otherwise the browser reconnects by itself.
      if (source.readyState !== EventSource.CLOSED || source !== this.source) return;
      this.later = setTimeout(this.adjust, STREAM_REOPEN_MS);
    });
  }

  private close() {
    clearTimeout(this.later);
    this.later = undefined;
    this.source?.close();
    this.source = undefined;
  }

  private take(data: string) {
    const quote = JSON.parse(data) as QuoteJson;
    const watched = this.securities.get(quote.securityCode ?? '');
    if (!watched) return;
    watched.quote = quote;
    watched.history = grown(watched.history, quote);
    for (const changed of watched.listeners) changed();
  }
}

/** The history with a quote's price, if it is another than the last. */
function grown(history: readonly Point[], { lastPrice, time = 0 }: QuoteJson): readonly Point[] {
  const price = Number(lastPrice);
  const last = history.at(-1);
  if (!lastPrice || !Number.isFinite(price)) return history;
  if (last && (last.price === price || last.time > time)) return history;
  return [...history, { time, price }].slice(-HISTORY);
}

/** The page's own. */
export const quoteStream = new QuoteStream();
