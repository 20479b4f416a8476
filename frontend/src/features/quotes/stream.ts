import { streamQuotes } from '~/gen/operations';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { pathOf } from '~/lib/api';

/** Maximum number of securities in a stream. */
export const MAX_STREAM_CODES = 50;
/** Delay before a rejected stream is opened again. */
export const STREAM_REOPEN_MS = 30_000;

/** Prices kept for each security's sparkline. */
const MAX_HISTORY_PRICES = 60;
export const NO_PRICES: readonly Point[] = [];

/** A price at a time (epoch seconds). */
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
 * The page's only quote stream: all watched securities over one `EventSource`.
 * Closed while the page is hidden or nothing is watched. The browser reconnects lost connections;
 * rejected ones are opened again after a delay.
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

  /**
   * Watches a security and calls `changed` after each new quote. Returns a function that stops
   * watching.
   */
  watch(code: string, changed: () => void): () => void {
    const watched = this.securities.get(code) ?? { history: NO_PRICES, listeners: new Set() };
    this.securities.set(code, watched);
    // A new function for each call, so that two watchers of one callback stop separately.
    const listener = () => changed();
    watched.listeners.add(listener);
    this.plan();
    return () => {
      watched.listeners.delete(listener);
      this.plan();
    };
  }

  /** The latest received quote. */
  quote(code: string): QuoteJson | undefined {
    return this.securities.get(code)?.quote;
  }

  /** Received prices, oldest first; the same array until the next price. */
  history(code: string): readonly Point[] {
    return this.securities.get(code)?.history ?? NO_PRICES;
  }

  // Components start and stop watching together, so one update serves them all.
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
    const source = this.open(`${pathOf(streamQuotes)}?codes=${encodeURIComponent(codes)}`);
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

/** The history with a quote's price, if it differs from the last. */
function grown(history: readonly Point[], { lastPrice, time = 0 }: QuoteJson): readonly Point[] {
  const price = Number(lastPrice);
  const last = history.at(-1);
  if (!lastPrice || !Number.isFinite(price)) return history;
  if (last && (last.price === price || last.time > time)) return history;
  return [...history, { time, price }].slice(-MAX_HISTORY_PRICES);
}

export const quoteStream = new QuoteStream();
