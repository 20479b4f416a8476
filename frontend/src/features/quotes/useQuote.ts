import { useCallback, useSyncExternalStore } from 'react';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { NO_PRICES, type Point, quoteStream } from './stream';

/** A quote from the document, updated by the stream after hydration. */
export function useQuote(initial: QuoteJson): QuoteJson {
  const code = initial.securityCode ?? '';
  const live = useStreamValue(code, () => quoteStream.quote(code), undefined);
  return live && (live.time ?? 0) >= (initial.time ?? 0) ? live : initial;
}

/** Prices received over the stream, oldest first; empty on the server. */
export function useHistory(code: string): readonly Point[] {
  return useStreamValue(code, () => quoteStream.history(code), NO_PRICES);
}

function useStreamValue<T>(code: string, read: () => T, serverValue: T): T {
  const watch = useCallback((changed: () => void) => quoteStream.watch(code, changed), [code]);
  return useSyncExternalStore(watch, read, () => serverValue);
}
