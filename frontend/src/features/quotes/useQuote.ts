import { useCallback, useSyncExternalStore } from 'react';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { type Point, quoteStream } from './stream';

const NO_HISTORY: readonly Point[] = [];

/** A quote of the page's document, kept up to date by the page's one stream once hydrated. */
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

/** The prices that came over the stream, oldest first; none on the server. */
export function useHistory(code: string): readonly Point[] {
  const watch = useCallback((changed: () => void) => quoteStream.watch(code, changed), [code]);
  return useSyncExternalStore(
    watch,
    () => quoteStream.history(code),
    () => NO_HISTORY,
  );
}
