import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { Badge } from '~/ui/Badge';
import { freshnessOf } from './price';

/** Marks a delayed or outdated price; nothing for a current one. */
export function FreshnessMark({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const freshness = freshnessOf(quote);
  if (freshness === 'current' || !quote.lastPrice) return null;
  return <Badge>{t(`mark.${freshness}`)}</Badge>;
}
