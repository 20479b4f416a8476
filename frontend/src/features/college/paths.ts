import { pathTo } from '~/lib/links/path-to';
import { withQuery } from '~/lib/links/paths';
import { usePage } from '~/lib/page/page';
import type { Platform } from '~/lib/page/payload';

/** An item is addressed by its slug if it has one. */
interface Named {
  id?: string;
  slug?: string;
}

/** Marks links from the education navigation. */
const FROM_NAVIGATION = '2';

export function categoryPath({ id = '' }: { id?: string }): string {
  return pathTo('education-category', { categoryId: id });
}

/** The address of a course. */
export function coursePath(course: Named & { categoryId?: string }): string {
  const { categoryId } = course;
  return pathTo('education-course', {
    courseId: nameOf(course),
    categoryId,
    pageFrom: FROM_NAVIGATION,
  });
}

/**
 * The address of a lesson or company article. Parents are omitted, as in its canonical address,
 * except in the app, whose reader needs the course.
 */
export function articlePath(
  article: Named & { kind?: string; categoryId?: string; courseId?: string },
  platform: Platform,
): string {
  const { kind, categoryId, courseId } = article;
  const articleId = nameOf(article);
  if (kind === 'company-article') return pathTo('company-news-detail', { articleId });
  const parents = platform === 'app' && categoryId && courseId ? { categoryId, courseId } : {};
  return pathTo('education-article', { articleId, ...parents });
}

/** Adds the embedding parameters (`from`, `ref`) of the current page. */
export function keepEmbedding(to: string, url: string): string {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  const kept = ['from', 'ref'].flatMap((name) => {
    const value = query.get(name);
    return value === 'admin' || value === 'share' ? [`${name}=${value}`] : [];
  });
  return withQuery(to, [], kept);
}

/** Education addresses for the current page: an embedded page links to embedded pages. */
export function useCollegePaths() {
  const { url, platform, layout } = usePage();
  const keep = (to: string) => (layout === 'college' ? keepEmbedding(to, url) : to);
  return {
    keep,
    home: keep(pathTo('education')),
    category: (category: { id?: string }) => keep(categoryPath(category)),
    course: (course: Parameters<typeof coursePath>[0]) => keep(coursePath(course)),
    article: (article: Parameters<typeof articlePath>[0]) => keep(articlePath(article, platform)),
  };
}

function nameOf({ id = '', slug }: Named): string {
  return slug || id;
}
