import { encode } from 'uqr';

/**
 * The dark modules of a QR code as path data, in a box of `size` units including a margin of two.
 */
export interface Modules {
  path: string;
  size: number;
}

/** Encodes a text with error correction level M. */
export function modulesOf(text: string): Modules {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { path, size };
}
