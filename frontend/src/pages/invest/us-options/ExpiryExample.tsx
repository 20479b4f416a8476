import { CONTRACT_SHARES } from '~/features/fees/order';
import { useMessages } from '~/lib/messages/messages';
import { useMoney } from '~/ui/money';
import { ExampleTable } from '../ExampleTable';
import { type Option, PREMIUM, payoff, STRIKE } from './figures';

const PRICES = [42, 48, 50, 52, 58] as const;

/** The result of a long contract at expiry, by share price. */
export function ExpiryExample() {
  const money = useMoney();
  const t = useMessages('invest-us-options');
  const dollars = (value: number) => money(value, 'USD', { least: 0, most: 0 });
  const result = (option: Option, price: number) => {
    const amount = payoff(option, price) * CONTRACT_SHARES;
    return amount > 0 ? <strong>{dollars(amount)}</strong> : dollars(amount);
  };
  return (
    <ExampleTable
      caption={t('example.caption', { strike: dollars(STRIKE), premium: dollars(PREMIUM) })}
      head={[t('example.price'), t('example.call'), t('example.put')]}
      rows={PRICES.map((price) => ({
        name: dollars(price),
        cells: [result('call', price), result('put', price)],
      }))}
    />
  );
}
