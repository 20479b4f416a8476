import type { PreviewPageJson } from '~/gen/sahm/page/v1/preview_pb';
import { definePage } from '~/lib/page/define-page';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { DraftNote } from '~/pages/preview/DraftNote';
import { NoDrafts } from '~/pages/preview/NoDrafts';

// A draft uses one of these; the others' code and messages are not loaded.
const ArticlePage = lazyHydrate(['article', 'reading', 'open-account'], () =>
  import('~/pages/article/ArticlePage').then((page) => page.ArticlePage),
);
// Drafts have no videos.
const CollegeArticle = lazyHydrate(['college-article', 'college', 'reading'], () =>
  import('~/pages/education-article/CollegeArticle').then((page) => page.CollegeArticle),
);
// Drafts have no feedback form.
const HelpArticle = lazyHydrate(['support'], () =>
  import('~/pages/support/HelpArticle').then((page) => page.HelpArticle),
);
const TermsPage = lazyHydrate(['terms'], () =>
  import('~/pages/terms/TermsPage').then((page) => page.TermsPage),
);

/**
 * `/preview/{type}`: one draft, rendered as its future page, below a notice that links to the other
 * drafts of its type.
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
