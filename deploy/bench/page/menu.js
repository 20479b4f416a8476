/** The site's header: what config names, with the college's categories and its hot course. */
export function headerOf({ menu: { header = [] }, college = [] }) {
  return header.map((item) =>
    item.key === 'education' ? { ...item, children: submenu(item.children ?? [], college) } : item,
  );
}

function submenu(named, college) {
  const hot = named.filter(({ badge }) => badge === 'hot');
  const categories = college.map(({ id, link, name, nameEn }) => ({
    key: `category-${id}`,
    url: link || `/education/category/${id}`,
    name,
    nameEn,
  }));
  const last = hot.length > 0 ? hot : hotCourses(college).slice(-1);
  return [...named.filter((item) => !hot.includes(item)), ...categories, ...last];
}

function hotCourses(college) {
  const courses = college.flatMap(({ courseVoList = [] }) => courseVoList.filter(({ hot }) => hot));
  return courses.map(({ id, slug, categoryId, link, external, name, nameEn }) => ({
    key: `course-${id}`,
    url: link || `/education/course/${slug || id}/${categoryId}?pageFrom=2`,
    name,
    nameEn,
    badge: 'hot',
    isHotLabel: true,
    target: external ? '_blank' : undefined,
  }));
}
