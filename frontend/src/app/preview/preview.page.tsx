import type { PreviewPageJson } from '~/gen/sahm/page/v1/preview_pb';
import { definePage } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { DraftNote } from '~/pages/preview/DraftNote';
import { NoDrafts } from '~/pages/preview/NoDrafts';

// A draft is shown by one of them: the others' code and texts are not loaded.
const ArticlePage = lazyHydrate(['article', 'reading', 'open-account'], () =>
  import('~/pages/article/ArticlePage').then((page) => page.ArticlePage),
);
// Without videos, which are no drafts.
const CollegeArticle = lazyHydrate(['college-article', 'college', 'reading'], () =>
  import('~/pages/education-article/CollegeArticle').then((page) => page.CollegeArticle),
);
// Without the form of the feedback page: nothing is sent from a draft.
const HelpArticle = lazyHydrate(['support'], () =>
  import('~/pages/support/HelpArticle').then((page) => page.HelpArticle),
);
const TermsPage = lazyHydrate(['terms'], () =>
  import('~/pages/terms/TermsPage').then((page) => page.TermsPage),
);

/**
 * `/preview/{type}`: one draft of a type, as the page would show it that it is meant for, below a
 * note that says so and leads to the type's other drafts.
 */
function PreviewPage({ document }: { document: PreviewPageJson }) {
  const { article, educationArticle, supportDetail, terms } = document;
  if (!document.draftId) return <NoDrafts type={document.type ?? ''} />;
  return (
    <>
      <DraftNote document={document} />
      {article && <ArticlePage document={article} />}
      {educationArticle && <CollegeArticle document={educationArticle} />}
      {supportDetail && <HelpArticle document={supportDetail} />}
      {terms && <TermsPage document={terms} />}
    </>
  );
}

export default definePage({ Component: PreviewPage, messages: ['preview'] });
