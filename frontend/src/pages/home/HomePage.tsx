import type { HomePageJson } from '~/gen/sahm/page/v1/page_pb';
import { late } from '~/lib/page/late';
import { GetApp } from './GetApp';
import { Hero } from './Hero';
import { News } from './News';
import { Products } from './Products';
import { Trust } from './Trust';

const Strip = late(['quotes'], () => import('./Strip').then((part) => part.Strip));
const Fees = late(['fees'], () => import('./Fees').then((part) => part.Fees));

/** `/`: what Sahm offers, what it costs, what to read, who is licensed, what can go wrong. */
export function HomePage({ document }: { document: HomePageJson }) {
  const { articles = [], newsUnavailable = false, feeSchedule, quotes = [] } = document;
  return (
    <>
      <Hero quotes={quotes} />
      {quotes.length > 0 && <Strip quotes={quotes} />}
      <Products />
      <Fees schedule={feeSchedule} />
      <News articles={articles} unavailable={newsUnavailable} />
      <Trust schedule={feeSchedule} />
      <GetApp />
    </>
  );
}
