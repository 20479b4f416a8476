import type { NavigationItemJson } from '~/gen/sahm/config/v1/config_pb';
import type { CollegeNavigationVoJson } from '~/gen/sahm/content/v1/college_pb';

/** The key of the header's entry that gets the college beneath it. */
const EDUCATION = 'education';

/**
 * The header with the college beneath 'Education' (specification §2): what config names there, the
 * college's categories, and last the last hot course, in a new tab where it stands by itself.
 */
export function withCollege(
  header: readonly NavigationItemJson[],
  college: readonly CollegeNavigationVoJson[],
): NavigationItemJson[] {
  return header.map((item) =>
    item.key === EDUCATION
      ? { ...item, children: [...(item.children ?? []), ...collegeItems(college)] }
      : item,
  );
}

function collegeItems(college: readonly CollegeNavigationVoJson[]): NavigationItemJson[] {
  const categories = college.map(({ id = '', link = '', courseVoList: _, ...names }) => ({
    ...names,
    key: `category-${id}`,
    url: link || `/education/category/${id}`,
  }));
  const hot = college
    .flatMap(({ courseVoList = [] }) => courseVoList.filter(({ hot }) => hot))
    .at(-1);
  if (!hot) return categories;
  const { id = '', slug, categoryId, link, external, name, nameEn, nameSa } = hot;
  return [
    ...categories,
    {
      key: `course-${id}`,
      ...(name && { name }),
      ...(nameEn && { nameEn }),
      ...(nameSa && { nameSa }),
      url: link || `/education/course/${slug || id}/${categoryId}?pageFrom=2`,
      badge: 'hot',
      isHotLabel: true,
      ...(external && { target: '_blank' }),
    },
  ];
}
