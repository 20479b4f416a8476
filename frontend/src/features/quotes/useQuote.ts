import { useCallback, useSyncExternalStore } from 'react';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { type Point, quoteStream } from './stream';

const NO_HISTORY: readonly Point[] = [];

/** A quote from the document, updated by the stream after hydration. */
export function useQuote(initial: QuoteJson): QuoteJson {
  const code = initial.securityCode ?? '';
  const watch = useCallback((changed: () => void) => quoteStream.watch(code, changed), [code]);
  const live = useSyncExternalStore(
    watch,
    () => quoteStream.quote(code),
    () => undefined,
  );
  return live && (live.time ?? 0) >= (initial.time ?? 0) ? live : initial;
}

/** Prices received over the stream, oldest first; empty on the server. */
export function useHistory(code: string): readonly Point[] {
  const watch = useCallback((changed: () => void) => quoteStream.watch(code, changed), [code]);
  return useSyncExternalStore(
    watch,
    () => quoteStream.history(code),
    () => NO_HISTORY,
  );
}
