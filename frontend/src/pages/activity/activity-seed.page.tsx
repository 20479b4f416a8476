import type { ReactNode } from 'react';
import { useAccountLinks } from '~/features/account/useAccountLinks';
import type { PassageJson } from '~/gen/sahm/activity/v1/campaign_pb';
import type { ActivityPageJson } from '~/gen/sahm/page/v1/activity_pb';
import { LICENCE_NUMBER } from '~/lib/company';
import { formatList } from '~/lib/format/format';
import { keepTogether } from '~/lib/format/no-break';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { useNow } from '~/ui/clock';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './ActivityPage.module.css';
import { byRule, stateOf } from './campaign';
import { Draws } from './Draws';
import { Hero } from './Hero';
import { Join } from './Join';
import { Levels } from './Levels';
import { useParticipation } from './useParticipation';

// For members only.
const Invite = lazyHydrate(['share'], () => import('./Invite').then((part) => part.Invite));

/** `/activity/seed`, `/activity/pre-activity-new`: a campaign in all its states. */
function ActivityPage({ document }: { document: ActivityPageJson }) {
  return document.campaign ? (
    <CampaignPage document={document} campaign={document.campaign} />
  ) : (
    <Nothing unavailable={document.unavailable ?? false} />
  );
}

function CampaignPage({
  document,
  campaign,
}: {
  document: ActivityPageJson;
  campaign: NonNullable<ActivityPageJson['campaign']>;
}) {
  const { info, custom = {}, rules = [], gccRules = [], draws = [], theme } = document;
  const { locale } = usePage();
  const t = useMessages('activity');
  const common = useMessages('common');
  const { login } = useAccountLinks();
  const state = stateOf(campaign, useNow(campaign.beginAt ?? 0, campaign.endAt ?? 0));
  const activityId = campaign.id ?? '';
  const { participation, load, onSessionEnded } = useParticipation(activityId, locale);
  const member = participation.kind === 'member' ? participation : undefined;
  const { title = '' } = campaign;
  /** After the end of a campaign with draws, only the results matter. */
  const isDrawn = state === 'ended' && campaign.hasDraws === true;
  const hasLevels = !campaign.hasDraws && (custom.standards ?? []).length > 0;
  const allRewards = info?.rewards ?? [];
  // While the campaign runs, the section about invitations shows the reward for them.
  const inviterRewards = allRewards.filter(({ id }) => state === 'active' && id === 'inviters');
  const rewards = allRewards.filter((reward) => !inviterRewards.includes(reward));
  const canJoin = state === 'active' && !member?.standing.joined;
  const results = <Draws custom={custom} draws={draws} tickets={member?.tickets ?? []} />;
  return (
    <>
      <Hero campaign={campaign} custom={custom} theme={theme} state={state} draws={draws} />
      <NightEdge />
      {canJoin && (
        <p className={styles.bar}>
          <a href="#join" className={buttonClass('primary')}>
            {t('join.submit')}
          </a>
        </p>
      )}
      <Section as="div" className={styles.page}>
        {isDrawn && (
          <Part id="draws" title={t('draws.title')} text={t('state.ended.text')}>
            {results}
          </Part>
        )}
        {!isDrawn && state !== 'active' && (
          <Part id="join" title={t(`state.${state}`)}>
            <p>{t(`state.${state}.text`)}</p>
          </Part>
        )}
        {info && !isDrawn && (
          <Part id="how" title={info.title ?? ''} text={info.description}>
            <ol className={styles.steps}>
              {(info.steps ?? []).map((step) => (
                <PassageItem key={step.id} passage={step} />
              ))}
            </ol>
          </Part>
        )}
        {hasLevels && (
          <Part id="levels" title={t('levels.title')} text={t('levels.text')}>
            <Levels custom={custom} rewards={rewards} participation={participation} />
          </Part>
        )}
        {!hasLevels && rewards.length > 0 && (
          <Part id="rewards" title={t('rewards.title')}>
            <Rewards rewards={rewards} />
          </Part>
        )}
        {campaign.hasDraws && !isDrawn && (
          <Part id="draws" title={t('draws.title')}>
            {results}
          </Part>
        )}
        {state === 'active' && (
          <Part id="join" title={t('state.active')}>
            <Join
              activityId={activityId}
              participation={participation}
              onJoined={load}
              onSessionEnded={onSessionEnded}
            />
          </Part>
        )}
        {state === 'active' && (
          <Part id="invite" title={t('invite.title')}>
            <p>{t('invite.text')}</p>
            {inviterRewards.length > 0 && <Rewards rewards={inviterRewards} />}
            {member ? (
              <Invite activityId={activityId} title={title} onSessionEnded={onSessionEnded} />
            ) : (
              <p>
                <a href={login} className={buttonClass('quiet')} data-document="">
                  {t('invite.log-in')}
                </a>
              </p>
            )}
          </Part>
        )}
        {rules.length > 0 && (
          <Part id="rules" title={t('rules.title')}>
            <ol className={styles.rules}>
              {rules.map((rule) => (
                <PassageItem key={rule.id} passage={rule} />
              ))}
            </ol>
          </Part>
        )}
        {gccRules.length > 0 && (
          <Part id="countries" title={t('gcc.title')} text={t('gcc.text')}>
            <ul className={styles.countries}>
              {byRule(gccRules).map((alike) => {
                const [rule] = alike;
                const isMine = alike.some(({ countryCode }) => countryCode === member?.country);
                return (
                  <li key={rule?.id} className={styles.country} data-mine={isMine || undefined}>
                    <h3 className={styles.name}>
                      {formatList(
                        locale,
                        alike.map(({ name = '' }) => name),
                      )}
                      {isMine && <span className={styles.mine}> {t('gcc.mine')}</span>}
                    </h3>
                    <p>{keepTogether(rule?.text ?? '')}</p>
                  </li>
                );
              })}
            </ul>
          </Part>
        )}
        {canJoin && (
          <p className={styles.again}>
            <a href="#join" className={buttonClass('primary', 'large')}>
              {t('join.submit')}
            </a>
          </p>
        )}
        {/* Because the layout has no footer. */}
        <div className={styles.licence}>
          <p>{common.rich('licensed', { licence: <bdi>{LICENCE_NUMBER}</bdi> })}</p>
          <p>{common('risk')}</p>
        </div>
      </Section>
    </>
  );
}

function Part({
  id,
  title,
  text,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.part}>
      <div className={styles.words}>
        <h2 id={`${id}-title`} className={headings.small}>
          {title}
        </h2>
        {text && <p className={styles.text}>{keepTogether(text)}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}

function Rewards({ rewards }: { rewards: readonly PassageJson[] }) {
  return (
    <ul className={styles.rewards}>
      {rewards.map((reward) => (
        <PassageItem key={reward.id} passage={reward} />
      ))}
    </ul>
  );
}

function PassageItem({ passage }: { passage: PassageJson }) {
  return (
    <li className={styles.passage}>
      <h3 className={styles.name}>{passage.title}</h3>
      <p>{keepTogether(passage.text ?? '')}</p>
    </li>
  );
}

function Nothing({ unavailable }: { unavailable: boolean }) {
  const t = useMessages('activity');
  return (
    <Section as="div" className={styles.page}>
      <h1 className={headings.small}>{t('title')}</h1>
      <EmptyState
        title={t(unavailable ? 'unavailable' : 'none')}
        httpStatus={unavailable ? 503 : 200}
      >
        <SiteLink to={pathTo('home')} className={buttonClass('quiet')}>
          {t('home')}
        </SiteLink>
      </EmptyState>
    </Section>
  );
}

export default definePage({ Component: ActivityPage, messages: ['activity'] });
