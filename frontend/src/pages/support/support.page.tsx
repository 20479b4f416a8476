import { ContactWays } from '~/features/contact/ContactWays';
import { channelPath, documentPath, FEEDBACK_PATH } from '~/features/help/paths';
import { QuestionList } from '~/features/help/QuestionList';
import { SearchBox } from '~/features/help/SearchBox';
import type { HelpClassificationJson } from '~/gen/sahm/content/v1/help_pb';
import type { SupportPageJson } from '~/gen/sahm/page/v1/support_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { buttonClass } from '~/ui/button';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './SupportPage.module.css';

/** `/support`: search, channels with their first documents, common questions. */
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
        </Section>
      </Section>
      <NightEdge />
      <Section className={styles.section} aria-labelledby="support-topics">
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
      {commonQuestions.length > 0 && (
        <section className={styles.band} aria-labelledby="support-questions">
          <Section as="div" className={styles.columns}>
            <div>
              <h2 id="support-questions" className={`${headings.small} ${styles.heading}`}>
                {t('questions.title')}
              </h2>
              <p className={styles.text}>{t('questions.text')}</p>
            </div>
            <QuestionList questions={commonQuestions} />
          </Section>
        </section>
      )}
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
  const name = channel.name;
  return (
    <>
      <h3 className={styles.name}>
        <SiteLink to={channelPath(channel)} className={styles.channelLink}>
          {name}
        </SiteLink>
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
