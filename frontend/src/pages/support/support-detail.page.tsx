import { FeedbackForm } from '~/features/feedback/FeedbackForm';
import { FEEDBACK_SLUG } from '~/features/help/paths';
import type { SupportDetailPageJson } from '~/gen/sahm/page/v1/support_pb';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { Icon } from '~/ui/Icon';
import { HelpArticle } from './HelpArticle';
import styles from './SupportDetailPage.module.css';

/** `/support/detail/{articleId}`: a document; the feedback page adds its form. */
function SupportDetailPage({ document }: { document: SupportDetailPageJson }) {
  const t = useMessages('support');
  if (document.document?.slug !== FEEDBACK_SLUG) return <HelpArticle document={document} />;
  const jump = (
    <a href="#feedback" className={`${styles.jump} screen-only`}>
      {t('feedback.jump')}
      <Icon name="chevron-down" />
    </a>
  );
  return (
    <HelpArticle document={document} className={styles.feedback} jump={jump}>
      <FeedbackForm />
    </HelpArticle>
  );
}

export default definePage({ Component: SupportDetailPage, messages: ['support', 'feedback'] });
