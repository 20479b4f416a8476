import type { CampaignJson, CustomInfoJson } from '~/gen/sahm/activity/v1/campaign_pb';
import { useMessages } from '~/lib/messages/messages';
import { Badge } from '~/ui/Badge';
import { buttonClass } from '~/ui/button';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { CalendarDate } from '~/ui/Time';
import { TriangleField } from '~/ui/TriangleField';
import { drawingOf } from './art';
import { type CampaignState, headlineOf, themeOf, toneOf } from './campaign';
import styles from './Hero.module.css';

/** The title of the campaign's theme, its period and its headline amount. */
export function Hero({
  campaign,
  custom,
  theme: themeId,
  state,
}: {
  campaign: CampaignJson;
  custom: CustomInfoJson;
  theme: string | undefined;
  state: CampaignState;
}) {
  const t = useMessages('activity');
  const theme = themeOf(campaign, themeId);
  const { title } = campaign;
  const headline = headlineOf(campaign, custom);
  const { kind, beginAt = 0, endAt = 0 } = campaign;
  return (
    <Section night className={styles.hero} data-tone={toneOf(theme)}>
      <Section as="div" className={styles.inner}>
        <div className={styles.words}>
          <p className={styles.kicker}>
            {title}
            {state !== 'active' && <Badge>{t(`state.${state}`)}</Badge>}
          </p>
          <h1 className={`${headings.large} ${styles.title}`}>{theme?.title || title}</h1>
          <p className={styles.text}>{theme?.subtitle || campaign.summary}</p>
          {kind !== 'regular' && (
            <p className={styles.period}>
              {t.rich('period', {
                begin: <CalendarDate key="begin" epoch={beginAt} />,
                end: <CalendarDate key="end" epoch={endAt} />,
              })}
            </p>
          )}
          <p className={rows.actions}>
            {state === 'active' && (
              <a href="#join" className={buttonClass('primary', 'large')}>
                {t('join.submit')}
              </a>
            )}
            <a href="#rules" className={styles.rules}>
              {t('rules.read')}
            </a>
          </p>
        </div>
        {headline && (
          <div className={styles.figure}>
            <TriangleField rows={drawingOf(kind)} className={styles.art} />
            <p className={`${headings.large} ${styles.amount}`}>
              <Money value={headline.amount} currency="SAR" least={0} />
            </p>
            <p className={styles.caption}>{t(`headline.${headline.kind}`)}</p>
          </div>
        )}
      </Section>
    </Section>
  );
}
