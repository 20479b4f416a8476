import { describe, expect, it } from 'vitest';
import { articlePath, categoryPath, coursePath, keepEmbedding } from './paths';

describe('categoryPath', () => {
  it('names the category', () => expect(categoryPath({ id: '3' })).toBe('/education/category/3'));
});

describe('coursePath', () => {
  it.each([
    [
      { id: '111', slug: 'sahm-research-center', categoryId: '6' },
      '/education/course/sahm-research-center/6?pageFrom=2',
    ],
    [{ id: '111', categoryId: '6' }, '/education/course/111/6?pageFrom=2'],
    [{ id: '111' }, '/education/course/111?pageFrom=2'],
  ])('%j is %s', (course, path) => expect(coursePath(course)).toBe(path));
});

describe('articlePath', () => {
  const lesson = { id: '1001', slug: 'what-a-share-is', categoryId: '1', courseId: '101' };
  it.each([
    [lesson, 'pc', '/education/article/what-a-share-is'],
    [lesson, 'mobile', '/education/article/what-a-share-is'],
    [lesson, 'app', '/education/article/what-a-share-is/1/101'],
    [{ id: '1001' }, 'app', '/education/article/1001'],
    [
      { id: '1201', slug: 'capital-raised', kind: 'company-article' },
      'app',
      '/company-news/detail/capital-raised',
    ],
  ] as const)('%j on %s is %s', (article, platform, path) =>
    expect(articlePath(article, platform)).toBe(path),
  );
});

describe('keepEmbedding', () => {
  it.each([
    ['/education', '/en-us/education', '/education'],
    ['/education', '/en-us/education?from=share', '/education?from=share'],
    ['/education', '/en-us/education?from=share&ref=admin', '/education?from=share&ref=admin'],
    ['/education?pageFrom=2', '/ar-sa/education?ref=admin', '/education?pageFrom=2&ref=admin'],
    ['/education', '/en-us/education?from=elsewhere', '/education'],
  ])('%s on %s is %s', (to, url, kept) => expect(keepEmbedding(to, url)).toBe(kept));
});
