import { parseDocument } from 'htmlparser2';
import { sitePage } from '../page/page';

/** The data of the site's page; its elements stand by for `SitePage`. */
export function pageDocument() {
  const { document, elements } = sitePage(parseDocument);
  globalThis.siteElements = elements;
  return document;
}
