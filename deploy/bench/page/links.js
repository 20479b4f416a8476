/** Where the page's links lead, from the document that the site made the page from. */

const LOCALE = '/en-us';

/** A path of the site with the page's locale; other addresses as they are. */
export function hrefOf(to = '/') {
  if (!isSitePath(to)) return to;
  return to === '/' ? LOCALE : LOCALE + to;
}

export function isSitePath(to) {
  return to.startsWith('/') && !to.startsWith('//');
}

/** For `aria-current`: `page` on the page itself, `true` on what it lies below. */
export function currentOf(to, current) {
  const path = to.split(/[?#]/, 1)[0];
  if (path === current) return 'page';
  return isSitePath(to) && path !== '/' && current.startsWith(`${path}/`) ? 'true' : undefined;
}

export const nameOf = (item) => item.nameEn || item.name;
export const descriptionOf = (item) => item.descriptionEn || item.description;

/** Whether an item with children leads somewhere that none of them leads to. */
export function hasOverview({ url, children = [] }) {
  return Boolean(url) && children.every((child) => child.url !== url);
}

export const articlePath = (id) => `/news/content/${id}`;

export function tabPath({ id, marketType }) {
  if (marketType === 'us' || marketType === 'saudi') return `/news/${marketType}`;
  return marketType === 'all' ? '/news' : `/news?tab=${id}`;
}

/** Where a banner leads. */
export function bannerPath({ contentId, url = '' }) {
  return contentId && contentId !== '0' ? articlePath(contentId) : url;
}

export function accountHref(scene, current) {
  const target = encodeURIComponent(LOCALE + current);
  return `${LOCALE}/login?target=${target}&lang=en-US&sceneFrom=SahmWebsite_${scene}`;
}

export const otherLanguageHref = (current) => `/ar-sa${current}`;
export const moreHref = (current, cursor) => `${current}?cursor=${cursor}`;
