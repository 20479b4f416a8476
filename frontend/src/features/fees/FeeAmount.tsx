import { Money } from '~/ui/Money';
import type { Currency } from '~/ui/money';
import { type Decimal, toText } from './decimal';

/** An exact amount, with all of its decimals; a whole amount of an order (`ofOrder`) has none. */
export function FeeAmount({
  value,
  currency,
  ofOrder = false,
}: {
  value: Decimal;
  currency: Currency;
  ofOrder?: boolean;
}) {
  const text = toText(value);
  const minDecimals = ofOrder && !text.includes('.') ? 0 : 2;
  return <Money value={text} currency={currency} minDecimals={minDecimals} maxDecimals={6} />;
}
