import { expect, test } from 'vitest';
import { pathTo } from './path-to';

test.each([
  [pathTo('home'), '/'],
  [pathTo('news'), '/news'],
  [pathTo('news', { tab: '7' }), '/news?tab=7'],
  [pathTo('news', { tab: undefined }), '/news'],
  [pathTo('news-content', { id: '12' }), '/news/content/12'],
  [pathTo('terms', { id: 'a/b' }), '/terms-and-conditions/a%2Fb'],
  [pathTo('about'), '/about'],
  [pathTo('about', { title: 'licence' }), '/about/licence'],
  [
    pathTo('education-course', { courseId: '1', categoryId: '2', pageFrom: '2' }),
    '/education/course/1/2?pageFrom=2',
  ],
  [pathTo('education-article', { articleId: '1', courseId: '3' }), '/education/article/1'],
])('%s is %s', (path, expected) => {
  expect(path).toBe(expected);
});

test('a wrong or missing parameter fails the type check', () => {
  // @ts-expect-error the parameter is missing
  expect(pathTo('news-content')).toBe('/news/content');
  // @ts-expect-error the page has no such parameter
  expect(pathTo('invest', { product: 'x' })).toBe('/invest?product=x');
  // @ts-expect-error no such page
  expect(() => pathTo('invest-bonds')).toThrow();
});
