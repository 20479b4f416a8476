import { FeedbackForm } from '~/features/feedback/FeedbackForm';
import { FEEDBACK_SLUG } from '~/features/help/paths';
import type { SupportDetailPageJson } from '~/gen/sahm/page/v1/support_pb';
import { definePage } from '~/lib/page/define-page';
import { HelpArticle } from './HelpArticle';
import styles from './SupportDetailPage.module.css';

/** `/support/detail/{articleId}`: a document; the feedback page adds its form. */
function SupportDetailPage({ document }: { document: SupportDetailPageJson }) {
  const hasForm = document.document?.slug === FEEDBACK_SLUG;
  return (
    <HelpArticle document={document} className={hasForm ? styles.feedback : ''}>
      {hasForm && <FeedbackForm />}
    </HelpArticle>
  );
}

export default definePage({ Component: SupportDetailPage, messages: ['support', 'feedback'] });
