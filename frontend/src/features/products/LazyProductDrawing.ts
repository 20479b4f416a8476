import { lazyHydrate } from '~/lib/page/lazy-hydrate';
// Styles for the server's HTML: the header shows drawings on every page.
import './product-drawing.css';

/** A product's drawing. Drawings in the server's HTML load no code. */
export const LazyProductDrawing = lazyHydrate(
  [],
  () => import('./ProductDrawing').then((drawing) => drawing.ProductDrawing),
  { hydrateOn: 'never' },
);
