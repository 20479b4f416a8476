import type { NavigationItemJson } from '~/gen/sahm/config/v1/config_pb';
import type { CollegeNavigationVoJson } from '~/gen/sahm/content/v1/college_pb';

/** The key of the header's entry that gets the college beneath it. */
const EDUCATION = 'education';

/**
 * The header with the college beneath 'Education': what config names there, the
 * college's categories, and last the hot item: config's, else the last hot course of the college.
 */
export function withCollege(
  header: readonly NavigationItemJson[],
  college: readonly CollegeNavigationVoJson[],
): NavigationItemJson[] {
  return header.map((item) =>
    item.key === EDUCATION ? { ...item, children: submenu(item.children ?? [], college) } : item,
  );
}

function submenu(
  named: readonly NavigationItemJson[],
  college: readonly CollegeNavigationVoJson[],
): NavigationItemJson[] {
  const hot = named.filter(({ badge }) => badge === 'hot');
  const course = hotCourse(college);
  return [
    ...named.filter((item) => !hot.includes(item)),
    ...college.map(({ id = '', link = '', courseVoList: _, ...names }) => ({
      ...names,
      key: `category-${id}`,
      url: link || `/education/category/${id}`,
    })),
    ...(hot.length > 0 ? hot : course ? [course] : []),
  ];
}

function hotCourse(college: readonly CollegeNavigationVoJson[]): NavigationItemJson | undefined {
  const course = college
    .flatMap(({ courseVoList = [] }) => courseVoList.filter(({ hot }) => hot))
    .at(-1);
  if (!course) return undefined;
  const { id = '', slug, categoryId, link, external, name, nameEn, nameSa } = course;
  return {
    key: `course-${id}`,
    ...(name && { name }),
    ...(nameEn && { nameEn }),
    ...(nameSa && { nameSa }),
    url: link || `/education/course/${slug || id}/${categoryId}?pageFrom=2`,
    badge: 'hot',
    isHotLabel: true,
    ...(external && { target: '_blank' }),
  };
}
