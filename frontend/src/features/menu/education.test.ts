import { expect, test } from 'vitest';
import { withCollege } from './education';

const college = [
  {
    id: '1',
    name: 'Basics',
    nameEn: 'Basics',
    nameSa: 'أساسيات',
    link: '/education/category/1',
    courseVoList: [{ id: '11', slug: 'first', categoryId: '1', name: 'First', hot: true }],
  },
  {
    id: '6',
    name: 'Research',
    courseVoList: [
      {
        id: '111',
        slug: 'sahm-research-center',
        categoryId: '6',
        name: 'Research centre',
        hot: true,
        external: true,
      },
      { id: '112', name: 'Other' },
    ],
  },
];

test('the college stands beneath education, the last hot course last', () => {
  const [pricing, education] = withCollege(
    [{ key: 'pricing' }, { key: 'education', children: [{ key: 'home', url: '/education' }] }],
    college,
  );
  expect(pricing).toEqual({ key: 'pricing' });
  expect(education?.children).toEqual([
    { key: 'home', url: '/education' },
    {
      key: 'category-1',
      name: 'Basics',
      nameEn: 'Basics',
      nameSa: 'أساسيات',
      url: '/education/category/1',
    },
    { key: 'category-6', name: 'Research', url: '/education/category/6' },
    {
      key: 'course-111',
      name: 'Research centre',
      url: '/education/course/sahm-research-center/6?pageFrom=2',
      badge: 'hot',
      isHotLabel: true,
      target: '_blank',
    },
  ]);
});

test('without a college education is as config says', () => {
  const header = [{ key: 'education', children: [{ key: 'home' }] }];
  expect(withCollege(header, [])).toEqual(header);
});

test('a hot item that config names is the last one', () => {
  const [education] = withCollege(
    [{ key: 'education', children: [{ key: 'research', badge: 'hot' }, { key: 'home' }] }],
    college,
  );
  expect(education?.children?.map(({ key }) => key)).toEqual([
    'home',
    'category-1',
    'category-6',
    'research',
  ]);
});
