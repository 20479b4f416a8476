import type { CustomInfoJson, PassageJson } from '~/gen/sahm/activity/v1/campaign_pb';
import { formatClock } from '~/lib/format/clock';
import { keepTogether } from '~/lib/format/no-break';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import { Money } from '~/ui/Money';
import styles from './Sections.module.css';
import type { Participation } from './useParticipation';

/**
 * The deposit thresholds, each with its reward, and the other rewards; for a participant, which
 * thresholds are reached.
 */
export function Levels({
  custom,
  rewards,
  participation,
}: {
  custom: CustomInfoJson;
  rewards: readonly PassageJson[];
  participation: Participation;
}) {
  const { locale } = usePage();
  const t = useMessages('activity');
  const riyals = (amount: string) => <Money value={amount} currency="SAR" minDecimals={0} />;
  const dollars = (amount: string) => <Money value={amount} currency="USD" minDecimals={0} />;
  const standing = participation.kind === 'member' ? participation.standing : undefined;
  const reached = (id: string | undefined) =>
    standing?.joined && standing.thresholds.find((level) => level.id === id)?.reached;
  const { standards = [], freeStockDays = 0, couponFrom, couponUntil } = custom;
  const coupon = couponFrom && couponUntil ? 'yes' : 'no';
  const rewardOf = (standard: string | undefined) =>
    rewards.find(({ id }) => id === `level-${standard}`);
  const ofLevels = new Set(standards.map(({ id }) => rewardOf(id)));
  return (
    <>
      <ul className={`${styles.cards} ${styles.levels}`}>
        {standards.map(({ id, sar = '', usd = '' }, index) => (
          <li key={id} className={styles.card} data-reached={reached(id) || undefined}>
            <p className={styles.level}>{t('levels.name', { number: index + 1 })}</p>
            <p className={styles.sums}>
              {riyals(sar)}
              <span>
                <span className={styles.or}>{t('levels.or')}</span> {dollars(usd)}
              </span>
            </p>
            <p className={styles.state}>
              {reached(id) ? (
                <>
                  <Icon name="check" />
                  {freeStockDays > 0
                    ? t('levels.stocks', { coupon, days: freeStockDays })
                    : t('levels.reached', { coupon })}
                </>
              ) : (
                keepTogether(rewardOf(id)?.text ?? t('levels.open', { coupon }))
              )}
            </p>
          </li>
        ))}
        {rewards
          .filter((reward) => !ofLevels.has(reward))
          .map(({ id, title, text = '' }) => (
            <li key={id} className={styles.card}>
              <h3 className={styles.reward}>{title}</h3>
              <p className={styles.state}>{keepTogether(text)}</p>
            </li>
          ))}
      </ul>
      {standing?.joined && (
        <p className={styles.note}>
          {t.rich('levels.deposited', {
            sar: riyals(standing.depositedSar || '0'),
            usd: dollars(standing.depositedUsd || '0'),
          })}
        </p>
      )}
      {couponFrom && couponUntil && (
        <p className={styles.note}>
          {t.rich('levels.coupon', {
            from: <bdi>{formatClock(locale, couponFrom)}</bdi>,
            until: <bdi>{formatClock(locale, couponUntil)}</bdi>,
          })}
        </p>
      )}
    </>
  );
}
