import type { HomePageJson } from '~/gen/sahm/page/v1/page_pb';
import { Fees } from './Fees';
import { GetApp } from './GetApp';
import { Hero } from './Hero';
import { News } from './News';
import { Products } from './Products';
import { Trust } from './Trust';

/** `/`: what Sahm offers, what it costs, what to read, who is licensed, what can go wrong. */
export function HomePage({ document }: { document: HomePageJson }) {
  const { articles = [], newsUnavailable = false, feeSchedule } = document;
  return (
    <>
      <Hero articles={articles} />
      <Products />
      <Fees schedule={feeSchedule} />
      <News articles={articles} unavailable={newsUnavailable} />
      <Trust schedule={feeSchedule} />
      <GetApp />
    </>
  );
}
