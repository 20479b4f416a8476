import type { CorporateEventJson } from '~/gen/sahm/quotes/v1/markets_pb';
import { CorporateEvents } from './CorporateEvents';
import { type MarketData, Markets } from './Markets';

/** The sections of market data; one that the market-data provider does not offer is left out. */
export function MarketSections({
  corporateEvents,
  ...data
}: MarketData & { corporateEvents: readonly CorporateEventJson[] }) {
  return (
    <>
      {(data.indices.length > 0 || data.movers.length > 0) && <Markets {...data} />}
      {corporateEvents.length > 0 && <CorporateEvents events={corporateEvents} />}
    </>
  );
}
