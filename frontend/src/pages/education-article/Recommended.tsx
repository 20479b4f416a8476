import { LessonRow } from '~/features/college/LessonRow';
import { useCollegePaths } from '~/features/college/paths';
import { AfterList } from '~/features/reading/AfterList';
import type { CollegeArticleSummaryJson } from '~/gen/sahm/content/v1/college_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';

/** Recommended content after an article; nothing if there is none. */
export function Recommended({
  articles,
  company,
}: {
  articles: readonly CollegeArticleSummaryJson[];
  company: boolean;
}) {
  const t = useMessages('college-article');
  const paths = useCollegePaths();
  if (articles.length === 0) return null;
  return (
    <AfterList
      id="recommended"
      title={t(company ? 'recommended.company' : 'recommended')}
      all={
        company
          ? { name: t('all.company'), to: paths.keep(pathTo('company-news-list')) }
          : { name: t('all'), to: paths.home }
      }
    >
      {articles.map((article) => (
        <li key={article.id}>
          <LessonRow article={article} heading="h3" brief />
        </li>
      ))}
    </AfterList>
  );
}
