import type { Product } from './products';

/**
 * A small illustration of a product, 320 × 160 (320 × 240 for stocks). Decorative: the text next to
 * it says the same. It mirrors with the reading direction, except for axes of prices, quantities or
 * time.
 */
export function ProductDrawing({
  product,
  className,
}: {
  product: Product;
  className?: string | undefined;
}) {
  return (
    <svg
      className={className}
      data-product={product}
      data-chart={CHARTS.includes(product) ? '' : undefined}
      viewBox={TALL.includes(product) ? '0 0 320 240' : '0 0 320 160'}
      aria-hidden="true"
    >
      {DRAWINGS[product].map(([className, path]) => (
        <path key={`${className} ${path}`} className={className} d={path} />
      ))}
    </svg>
  );
}

const CHARTS: readonly Product[] = ['saudi-suku-bonds', 'us-stocks', 'us-options', 'us-warrants'];
const TALL: readonly Product[] = ['saudi-stocks', 'us-stocks'];

type Look = 'shape' | 'sand' | 'accent' | 'line' | 'thin' | 'dash' | 'lit' | 'ink';

/** The paths of each drawing, from back to front. */
const DRAWINGS: Readonly<Record<Product, readonly (readonly [Look, string])[]>> = {
  // A company in sixteen equal parts; one is highlighted.
  'saudi-stocks': [
    ['shape', 'M160 8 288 232H32z'],
    [
      'sand',
      'M128 64h64l-32 56zM96 120h64l-32 56zM64 176h64l-32 56zM128 176h64l-32 56zM192 176h64l-32 56z',
    ],
    ['thin', 'M160 120h64l-32 56z'],
    ['accent', 'M176 100h64l-32 56z'],
  ],
  // Equal payments on a time line, with the principal at the end.
  'saudi-suku-bonds': [
    ['line', 'M16 132h288'],
    [
      'sand',
      'M42 132v-28h18v28zM84 132v-28h18v28zM126 132v-28h18v28zM168 132v-28h18v28zM210 132v-28h18v28zM252 132v-28h18v28z',
    ],
    ['accent', 'M252 104V28h18v76z'],
    ['thin', 'M51 140v8M93 140v8M135 140v8M177 140v8M219 140v8M261 140v8'],
  ],
  // A building whose rent flows to the holders below.
  'saudi-reits': [
    ['shape', 'M92 92V24h56v68zM156 92V48h72v44z'],
    [
      'sand',
      'M102 36h10v12h-10zM128 36h10v12h-10zM102 60h10v12h-10zM128 60h10v12h-10zM168 60h10v12h-10zM188 60h10v12h-10zM208 60h10v12h-10z',
    ],
    ['line', 'M72 92h176'],
    ['thin', 'M100 100v22M140 100v22M180 100v22M220 100v22'],
    ['accent', 'M90 124h20l-10 16zM130 124h20l-10 16zM170 124h20l-10 16zM210 124h20l-10 16z'],
  ],
  // Several securities in one unit.
  'saudi-etfs': [
    ['shape', 'M160 12a68 68 0 100 136 68 68 0 000-136z'],
    [
      'sand',
      'M112 64l14-28 14 28zM180 64l14-28 14 28zM98 106l14-28 14 28zM194 106l14-28 14 28zM130 142l14-28 14 28z',
    ],
    ['lit', 'M146 64l14-28 14 28zM130 106l14-28 14 28zM162 142l14-28 14 28z'],
    ['accent', 'M162 106l14-28 14 28z'],
    ['line', 'M160 12a68 68 0 100 136 68 68 0 000-136z'],
  ],
  // An order book: sell orders above, buy orders below, larger ones farther from the price; one
  // order is highlighted.
  'us-stocks': [
    ['shape', 'M160 20h128v18H160zM160 44h104v18H160zM160 68h60v18H160zM160 92h38v18h-38z'],
    ['sand', 'M122 130h38v18h-38zM64 178h96v18H64zM32 202h128v18H32z'],
    ['accent', 'M92 154h68v18H92z'],
    ['dash', 'M16 120h288'],
    ['line', 'M160 14v212'],
    ['accent', 'M160 110l10 10-10 10-10-10z'],
  ],
  // The payoff of a long call: a small fixed cost, break-even, then profit.
  'us-options': [
    ['dash', 'M24 88h272'],
    ['shape', 'M24 88v36h120l36-36z'],
    ['lit', 'M180 88l72-72v72z'],
    ['line', 'M24 124h120L252 16'],
    ['accent', 'M180 78a10 10 0 100 20 10 10 0 000-20z'],
    ['thin', 'M144 132v14'],
  ],
  // One trade across many securities.
  'us-etfs': [
    [
      'thin',
      'M76 80h40M116 80C150 80 150 26 196 26M116 80c34 0 34-27 80-27M116 80h80M116 80c34 0 34 27 80 27M116 80c34 0 34 54 80 54',
    ],
    [
      'sand',
      'M196 18h64v16h-64zM196 45h48v16h-48zM196 72h36v16h-36zM196 99h26v16h-26zM196 126h18v16h-18z',
    ],
    ['accent', 'M52 60l36 20-36 20z'],
  ],
  // A price that rises above the strike price, where the warrant is in the money.
  'us-warrants': [
    ['lit', 'M176 76c30-6 44-44 104-52v52z'],
    ['dash', 'M32 76h264'],
    ['line', 'M40 124c40 0 48-24 76-24 30 0 30-18 60-24s44-44 104-52'],
    ['accent', 'M176 66a10 10 0 100 20 10 10 0 000-20z'],
  ],
  // Dealers who trade directly with each other, without an exchange.
  'us-otc': [
    ['thin', 'M84 48l76 76 76-76M84 48h152M84 48l-28 72h104M236 48l28 72H160'],
    [
      'sand',
      'M84 34a14 14 0 100 28 14 14 0 000-28zM56 106a14 14 0 100 28 14 14 0 000-28zM264 106a14 14 0 100 28 14 14 0 000-28zM236 34a14 14 0 100 28 14 14 0 000-28z',
    ],
    ['accent', 'M160 106a16 16 0 100 32 16 16 0 000-32z'],
    ['ink', 'M154 114l14 8-14 8z'],
  ],
};
