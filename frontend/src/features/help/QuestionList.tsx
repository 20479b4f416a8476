import type { HelpDocumentSummaryJson } from '~/gen/sahm/content/v1/help_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { documentPath } from './paths';
import styles from './QuestionList.module.css';

/** Questions that expand to a short answer with a link to the full one. */
export function QuestionList({ questions }: { questions: HelpDocumentSummaryJson[] }) {
  const t = useMessages('support');
  return (
    <ul className={styles.list}>
      {questions.map((question) => (
        <li key={question.id} className={styles.item}>
          <details className={styles.question}>
            <summary>
              {question.title}
              <Icon name="chevron-down" className={styles.chevron} />
            </summary>
            <div className={styles.answer}>
              <p>{question.summary}</p>
              <SiteLink to={documentPath(question)} className={links.text}>
                {t('question.whole')}
                <span className="visually-hidden">: {question.title}</span>
                <Icon name="arrow-forward" />
              </SiteLink>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
