import type { HomePageJson } from '~/gen/sahm/page/v1/page_pb';
import { definePage } from '~/lib/page/define-page';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { GetApp } from './GetApp';
import { Hero } from './Hero';
import { News } from './News';
import { Products } from './Products';
import { Strip } from './Strip';
import { Trust } from './Trust';

const Fees = lazyHydrate(['fees'], () => import('./Fees').then((part) => part.Fees));

/** `/`: what Sahm offers, what it costs, what to read, who is licensed, what can go wrong. */
function HomePage({ document }: { document: HomePageJson }) {
  const { articles = [], newsUnavailable = false, feeSchedule, quotes = [] } = document;
  return (
    <>
      <Hero quotes={quotes} />
      <ErrorBoundary>{quotes.length > 0 && <Strip quotes={quotes} />}</ErrorBoundary>
      <Products />
      <Fees schedule={feeSchedule} />
      <News articles={articles} unavailable={newsUnavailable} />
      <Trust schedule={feeSchedule} />
      <GetApp />
    </>
  );
}

export default definePage({ Component: HomePage, messages: ['home', 'products', 'quotes'] });
