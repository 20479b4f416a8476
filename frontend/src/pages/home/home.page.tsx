import type { HomePageJson } from '~/gen/sahm/page/v1/page_pb';
import { definePage } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { GetApp } from './GetApp';
import { Hero } from './Hero';
import { News } from './News';
import { Products } from './Products';
import { Trust } from './Trust';

const MarketSections = lazyHydrate(['markets'], () =>
  import('./MarketSections').then((part) => part.MarketSections),
);
const Fees = lazyHydrate(['fees'], () => import('./Fees').then((part) => part.Fees));

/** `/`: markets, results and dividends, products, costs, news, licence and risks. */
function HomePage({ document }: { document: HomePageJson }) {
  const { articles = [], newsUnavailable = false, feeSchedule, quotes = [] } = document;
  const { indices = [], movers = [], series = [], dailyCloses = [] } = document;
  const { corporateEvents = [] } = document;
  return (
    <>
      <Hero quotes={quotes} series={series} />
      <MarketSections
        quotes={quotes}
        indices={indices}
        movers={movers}
        series={series}
        dailyCloses={dailyCloses}
        corporateEvents={corporateEvents}
      />
      <Products schedule={feeSchedule} />
      <Fees schedule={feeSchedule} />
      <News articles={articles} unavailable={newsUnavailable} />
      <Trust schedule={feeSchedule} />
      <GetApp />
    </>
  );
}

export default definePage({ Component: HomePage, messages: ['home', 'products', 'quotes'] });
