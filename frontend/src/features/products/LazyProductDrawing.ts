import { lazyHydrate } from '~/lib/page/lazy-hydrate';
// The styles of the server's HTML: the header shows drawings on every page.
import './product-drawing.css';

/** A product's drawing. That of the server's HTML needs no code. */
export const LazyProductDrawing = lazyHydrate(
  [],
  () => import('./ProductDrawing').then((drawing) => drawing.ProductDrawing),
  { hydrateOn: 'never' },
);
