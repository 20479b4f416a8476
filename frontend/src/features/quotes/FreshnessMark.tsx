import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { Badge } from '~/ui/Badge';
import { freshnessOf } from './price';

/** Says of a price that is delayed or not up to date that it is; nothing of a current one. */
export function FreshnessMark({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const freshness = freshnessOf(quote);
  if (freshness === 'current' || !quote.lastPrice) return null;
  return <Badge>{t(`mark.${freshness}`)}</Badge>;
}
