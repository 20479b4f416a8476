import type { HelpDocumentSummaryJson } from '~/gen/sahm/content/v1/help_pb';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { TextLink } from '~/ui/TextLink';
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
              <TextLink to={documentPath(question)}>
                {t('question.whole')}
                <span className="visually-hidden">: {question.title}</span>
              </TextLink>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
