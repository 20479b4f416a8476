import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import styles from './Money.module.css';
import { type Currency, type Decimals, moneyParts } from './money';

/**
 * A standalone amount: currency sign, then figure, in both languages. The riyal sign (U+20C1) is
 * drawn, because few fonts have it, and read as the currency's name.
 */
export function Money({
  value,
  currency,
  softDecimals = false,
  ...decimals
}: {
  value: number | string;
  currency: Currency;
  /** Shows the decimals in a lighter weight. */
  softDecimals?: boolean;
} & Decimals) {
  const { locale } = usePage();
  const t = useMessages('common');
  const { sign, whole, fraction, count } = moneyParts(locale, value, decimals);
  const figure = (
    <>
      {whole}
      {softDecimals && fraction ? <span className={styles.soft}>{fraction}</span> : fraction}
    </>
  );
  return (
    <bdi dir="ltr" className={styles.money}>
      {sign}
      {currency === 'USD' ? (
        <>
          {'$'}
          {figure}
        </>
      ) : (
        <>
          <RiyalSign />
          {t.rich('money.sar', { count, amount: <span>{figure}</span> }).map((part) =>
            typeof part === 'string' ? (
              <span key={part} className="visually-hidden">
                {part}
              </span>
            ) : (
              part
            ),
          )}
        </>
      )}
    </bdi>
  );
}

function RiyalSign() {
  return (
    <svg
      className={styles.riyal}
      viewBox="0 0 18 20"
      width="0.72em"
      height="0.8em"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d="M6.3 1.8 8.4 0v13.2l-1.2 2Q6.8 15.8 6.1 16L0 17.3.6 15l5.7-1.2zM10.5 2.8 12.6 1v14l-2.1.5zM.6 11.15 17.9 7.7l-.6 2.25L0 13.4zM10.5 15.7v-2.15L17.9 12l-.6 2.25zM11.1 17.7l6.8-1.4-.6 2.25L10.5 20z" />
    </svg>
  );
}
