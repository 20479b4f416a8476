/** Whether a link leads to the site, so that a framework's own link applies. */
export function isSiteLink(tag, { href = '' }) {
  return tag === 'a' && href.startsWith('/') && !href.startsWith('//');
}
