import { parseDocument } from 'htmlparser2';
import { sitePage } from '../page/page';

/** The data of the site's page. Leaves its elements where `SitePage` finds them: a client component cannot read files. */
export function pageDocument() {
  const { document, elements } = sitePage(parseDocument);
  globalThis.siteElements = elements;
  return document;
}
