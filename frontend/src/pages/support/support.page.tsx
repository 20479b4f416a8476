import { ContactWays } from '~/features/contact/ContactWays';
import { channelPath, documentPath, FEEDBACK_PATH } from '~/features/help/paths';
import { SearchBox } from '~/features/help/SearchBox';
import type { HelpClassificationJson } from '~/gen/sahm/content/v1/help_pb';
import type { SupportPageJson } from '~/gen/sahm/page/v1/support_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { buttonClass } from '~/ui/button';
import chips from '~/ui/chips.module.css';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { Icon, type IconName } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './SupportPage.module.css';

/** Common questions below the search. */
const MAX_QUESTIONS = 4;

/** Icons of channels, by slug. */
const ICONS: Readonly<Record<string, IconName>> = {
  'getting-started': 'flag',
  'account-opening': 'user',
  'log-in-and-security': 'shield',
  'deposits-and-withdrawals': 'wallet',
  'saudi-trading': 'chart',
  'us-trading': 'globe',
  'fees-and-tax': 'percent',
  'market-data-and-app': 'device',
  'complaints-and-contact': 'chat',
};

/** `/support`: search, common questions, channels with their first documents. */
function SupportPage({ document }: { document: SupportPageJson }) {
  const t = useMessages('support');
  const { classification = [], commonQuestions = [] } = document;
  return (
    <>
      <Section as="div" night>
        <Section as="div" className={styles.search}>
          <h1 className={`${headings.large} ${styles.title}`}>{t('home.title')}</h1>
          <p className={styles.standfirst}>{t('home.text')}</p>
          <SearchBox large />
          {commonQuestions.length > 0 && (
            <nav aria-label={t('questions.title')} className={styles.questions}>
              <ul className={chips.chips}>
                {commonQuestions.slice(0, MAX_QUESTIONS).map((question) => (
                  <li key={question.id}>
                    <SiteLink to={documentPath(question)} className={chips.chip}>
                      {question.title}
                    </SiteLink>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </Section>
      </Section>
      <NightEdge />
      <Section className={sections.medium} aria-labelledby="support-topics">
        <h2 id="support-topics" className={`${headings.small} ${styles.heading}`}>
          {t('home.topics')}
        </h2>
        {classification.length > 0 ? (
          <ul className={styles.channels}>
            {classification.map((item) => (
              <li key={item.id} className={styles.channel}>
                <Channel item={item} />
              </li>
            ))}
          </ul>
        ) : (
          <EmptyState title={t('empty')} />
        )}
      </Section>
      <Section className={styles.contact} aria-labelledby="support-contact">
        <div>
          <h2 id="support-contact" className={`${headings.small} ${styles.heading}`}>
            {t('contact.title')}
          </h2>
          <p className={styles.text}>{t('contact.text')}</p>
          <SiteLink to={FEEDBACK_PATH} className={buttonClass('primary')}>
            {t('contact.feedback')}
          </SiteLink>
        </div>
        <ContactWays />
      </Section>
    </>
  );
}

function Channel({ item: { channel = {}, documents = [] } }: { item: HelpClassificationJson }) {
  const t = useMessages('support');
  const { name, slug = '' } = channel;
  const icon = ICONS[slug];
  return (
    <>
      <h3 className={styles.name}>
        {icon && <Icon name={icon} className={styles.icon} />}
        <SiteLink to={channelPath(channel)} className={links.title}>
          {name}
        </SiteLink>
        <Icon name="arrow-forward" className={styles.arrow ?? ''} />
      </h3>
      <p className={styles.description}>{channel.description}</p>
      <ul className={styles.documents}>
        {documents.map((document) => (
          <li key={document.id}>
            <SiteLink to={documentPath(document)} className={styles.document}>
              {document.title}
            </SiteLink>
          </li>
        ))}
      </ul>
      <TextLink to={channelPath(channel)} className={styles.all}>
        {t('channel.all')}
        <span className="visually-hidden">: {name}</span>
      </TextLink>
    </>
  );
}

export default definePage({ Component: SupportPage, messages: ['support'] });
