import type { HomePageJson } from '~/gen/sahm/page/v1/page_pb';
import { definePage } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { GetApp } from './GetApp';
import { Hero } from './Hero';
import { News } from './News';
import { Products } from './Products';
import { Trust } from './Trust';

const Markets = lazyHydrate(['markets'], () => import('./Markets').then((part) => part.Markets));
const Fees = lazyHydrate(['fees'], () => import('./Fees').then((part) => part.Fees));

/** `/`: products, costs, news, licence and risks. */
function HomePage({ document }: { document: HomePageJson }) {
  const { articles = [], newsUnavailable = false, feeSchedule, quotes = [] } = document;
  const { indices = [], movers = [], series = [], dailyCloses = [] } = document;
  return (
    <>
      <Hero quotes={quotes} series={series} />
      {(indices.length > 0 || movers.length > 0) && (
        <Markets
          quotes={quotes}
          indices={indices}
          movers={movers}
          series={series}
          dailyCloses={dailyCloses}
        />
      )}
      <Products schedule={feeSchedule} />
      <Fees schedule={feeSchedule} />
      <News articles={articles} unavailable={newsUnavailable} />
      <Trust schedule={feeSchedule} />
      <GetApp />
    </>
  );
}

export default definePage({ Component: HomePage, messages: ['home', 'products', 'quotes'] });
