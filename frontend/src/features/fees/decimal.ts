/**
 * Exact decimal arithmetic for money: a bigint count of 10⁻¹². Rates have at most six decimals and
 * amounts two, so no product is truncated.
 */
export type Decimal = bigint;

const DIGITS = 12;
const SCALE = 10n ** BigInt(DIGITS);

/** Parses a decimal as written in the fee schedule (`0.00105`, `-3`). Throws on anything else. */
export function decimal(text: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d{1,12}))?$/.exec(text);
  if (!match) throw new RangeError(`not a decimal: ${text}`);
  const [, sign, whole = '0', part = ''] = match;
  const value = BigInt(whole) * SCALE + BigInt(part.padEnd(DIGITS, '0'));
  return sign ? -value : value;
}

export function times(a: Decimal, b: Decimal): Decimal {
  return (a * b) / SCALE;
}

export function min(a: Decimal, b: Decimal): Decimal {
  return a < b ? a : b;
}

export function max(a: Decimal, b: Decimal): Decimal {
  return a > b ? a : b;
}

/** Rounds half up to the cent or halala. */
export function toCents(value: Decimal): Decimal {
  const cent = SCALE / 100n;
  const half = cent / 2n;
  const floor = (n: bigint) => (n >= 0n ? n / cent : -((-n + cent - 1n) / cent));
  return floor(value + half) * cent;
}

/** Formats a decimal without trailing zeros: `1.99`, `0.3`, `2000`. */
export function toText(value: Decimal): `${number}` {
  const sign = value < 0n ? '-' : '';
  const size = value < 0n ? -value : value;
  const part = (size % SCALE).toString().padStart(DIGITS, '0').replace(/0+$/, '');
  return `${sign}${size / SCALE}${part && `.${part}`}` as `${number}`;
}
