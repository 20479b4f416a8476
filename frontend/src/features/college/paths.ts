import { pathTo } from '~/lib/links/path-to';
import { usePage } from '~/lib/page/page';
import type { Platform } from '~/lib/page/payload';

/** What names an item in a path: its slug where it has one. */
interface Named {
  id?: string;
  slug?: string;
}

/** Where the college's navigation says it leads from. */
const FROM_NAVIGATION = '2';

export function categoryPath({ id = '' }: { id?: string }): string {
  return pathTo('education-category', { categoryId: id });
}

/** A course as the education navigation addresses it. */
export function coursePath(course: Named & { categoryId?: string }): string {
  const { categoryId } = course;
  return pathTo('education-course', {
    courseId: nameOf(course),
    categoryId,
    pageFrom: FROM_NAVIGATION,
  });
}

/**
 * An article of a course, or about the company. Parents are left out, as in its canonical address;
 * the app's own reader asks for the course, so links carry them there.
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

/** `to` with what the page's own query says of where it is embedded (`from`, `ref`). */
export function keepEmbedding(to: string, url: string): string {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  const kept = ['from', 'ref'].flatMap((name) => {
    const value = query.get(name);
    return value === 'admin' || value === 'share' ? [`${name}=${value}`] : [];
  });
  if (kept.length === 0) return to;
  return `${to}${to.includes('?') ? '&' : '?'}${kept.join('&')}`;
}

/** The college's addresses on the page that is shown: a page shown bare leads to bare pages. */
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
