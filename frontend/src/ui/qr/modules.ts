import { encode } from 'uqr';

/** A code's dark modules as path data, in a box of `size` units a side, two of them margin. */
export interface Modules {
  path: string;
  size: number;
}

/** The code for a text, level M. */
export function modulesOf(text: string): Modules {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { path, size };
}
