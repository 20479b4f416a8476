import { ClosingBand } from '~/features/account/ClosingBand';
import { CourseVideo } from '~/features/college/CourseVideo';
import type { EducationArticlePageJson } from '~/gen/sahm/page/v1/education_pb';
import { definePage } from '~/lib/page/define-page';
import { CollegeArticle } from './CollegeArticle';

/**
 * `/education/article/…` and `/company-news/detail/…`: a lesson or company article in its own
 * language and direction.
 */
export function CollegeArticlePage({ document }: { document: EducationArticlePageJson }) {
  return (
    <>
      <CollegeArticle document={document}>
        {document.videos?.map((video) => (
          <CourseVideo key={video.id} video={video} />
        ))}
      </CollegeArticle>
      {document.article?.kind !== 'company-article' && <ClosingBand />}
    </>
  );
}

export default definePage({
  Component: CollegeArticlePage,
  messages: ['college-article', 'college', 'reading', 'open-account'],
});
