import { CONTRACT_SHARES } from '~/features/fees/order';
import { useMessages } from '~/lib/messages/messages';
import { useAmount, useMoney } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';
import { type Option, PREMIUM, payoff, STRIKE } from './figures';

const PRICES = [42, 48, 50, 52, 58] as const;
const WHOLE = { minDecimals: 0, maxDecimals: 0 };

/** The result of a long contract at expiry, by share price. */
export function ExpiryExample() {
  const money = useMoney();
  const amount = useAmount();
  const t = useMessages('invest-us-options');
  const dollars = (value: number) => money(value, 'USD', WHOLE);
  const result = (option: Option, price: number) => {
    const gain = payoff(option, price) * CONTRACT_SHARES;
    const text = amount(gain, { ...WHOLE, plus: true });
    return gain > 0 ? <strong>{text}</strong> : text;
  };
  return (
    <ExampleTable
      caption={t('example.caption', { strike: dollars(STRIKE), premium: dollars(PREMIUM) })}
      head={[t('example.price'), t('example.call'), t('example.put')]}
      rows={PRICES.map((price) => ({
        name: amount(price, WHOLE),
        cells: [result('call', price), result('put', price)],
      }))}
    />
  );
}
