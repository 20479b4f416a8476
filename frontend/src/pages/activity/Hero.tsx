import { LazyProductDrawing } from '~/features/products/LazyProductDrawing';
import type { CampaignJson, CustomInfoJson } from '~/gen/sahm/activity/v1/campaign_pb';
import type { DrawJson } from '~/gen/sahm/activity/v1/draw_pb';
import { formatNumber } from '~/lib/format/format';
import { keepTogether } from '~/lib/format/no-break';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Badge } from '~/ui/Badge';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { CalendarDate } from '~/ui/Time';
import { TriangleField } from '~/ui/TriangleField';
import { type CampaignState, drawingOf, headlineOf, themeOf, toneOf, winsOf } from './campaign';
import styles from './Hero.module.css';

/** The campaign's title, period and headline amount; after its end, the outcome instead. */
export function Hero({
  campaign,
  custom,
  theme: themeId,
  state,
  draws,
}: {
  campaign: CampaignJson;
  custom: CustomInfoJson;
  theme: string | undefined;
  state: CampaignState;
  draws: readonly DrawJson[];
}) {
  const { locale } = usePage();
  const t = useMessages('activity');
  const theme = themeOf(campaign, themeId);
  const { title = '' } = campaign;
  const headline = headlineOf(campaign, custom);
  const { kind, beginAt = 0, endAt = 0 } = campaign;
  const hasEnded = state === 'ended';
  const wins = winsOf(state, draws);
  const drawing = drawingOf(kind);
  return (
    <Section night className={styles.hero} data-tone={toneOf(theme)}>
      <Section as="div" className={styles.inner}>
        <div className={styles.words}>
          <p className={styles.kicker}>
            {title}
            {state !== 'active' && <Badge>{t(`state.${state}`)}</Badge>}
          </p>
          <h1 className={`${headings.large} ${styles.title}`}>
            {wins === undefined
              ? keepTogether((!hasEnded && theme?.title) || title)
              : t('ended.draws', { count: draws.length })}
          </h1>
          {!hasEnded && (
            <p className={styles.text}>{keepTogether(theme?.subtitle || campaign.summary || '')}</p>
          )}
          {kind !== 'regular' && (
            <p className={styles.period}>
              {t.rich('period', {
                begin: <CalendarDate epoch={beginAt} />,
                end: <CalendarDate epoch={endAt} />,
              })}
            </p>
          )}
          <p className={rows.actions}>
            {state === 'active' && (
              <a href="#join" className={buttonClass('primary', 'large')}>
                {t('join.submit')}
              </a>
            )}
            {wins !== undefined && (
              <a href="#draws" className={buttonClass('primary', 'large')}>
                {t('ended.results')}
              </a>
            )}
            <a href="#rules" className={styles.rules}>
              {t('rules.read')}
            </a>
          </p>
          {!hasEnded && <p className={styles.risk}>{t('risk')}</p>}
        </div>
        {headline && (
          <div className={styles.figure}>
            {drawing ? (
              <TriangleField rows={drawing} className={styles.art} />
            ) : (
              <LazyProductDrawing product="saudi-stocks" className={styles.art} />
            )}
            <p className={`${headings.large} ${styles.amount}`}>
              {wins === undefined ? (
                <Money value={headline.amount} currency="SAR" minDecimals={0} />
              ) : (
                formatNumber(locale, wins)
              )}
            </p>
            <p className={styles.caption}>
              {wins === undefined
                ? t(`headline.${headline.kind}`)
                : t('ended.wins', { count: wins })}
            </p>
          </div>
        )}
      </Section>
    </Section>
  );
}
