import type { HeadJson } from '~/gen/sahm/page/v1/page_pb';
import { frameOf, type PagePayload } from '~/lib/page/payload';

/** Updates the document's head after a client navigation (docs/pages.md). */
export function syncHead(document: Document, payload: PagePayload): void {
  const frame = frameOf(payload);
  const head = frame.head ?? {};
  document.title = head.title ?? '';
  document.documentElement.dataset.page = payload.page;
  document.documentElement.dataset.layout = frame.layout ?? '';
  meta(document, 'name', 'description', head.description);
  meta(document, 'name', 'robots', head.noindex ? 'noindex' : undefined);
  meta(document, 'property', 'og:title', head.title);
  meta(document, 'property', 'og:description', head.description);
  meta(document, 'property', 'og:type', head.ogType);
  meta(document, 'property', 'og:url', head.canonical);
  meta(document, 'property', 'og:image', head.ogImage);
  links(document, head);
  structuredData(document, head.jsonLd ?? []);
}

function meta(
  document: Document,
  attribute: 'name' | 'property',
  name: string,
  content: string | undefined,
): void {
  const known = document.head.querySelector<HTMLMetaElement>(`meta[${attribute}="${name}"]`);
  if (!content) {
    known?.remove();
    return;
  }
  const element = known ?? document.head.appendChild(document.createElement('meta'));
  element.setAttribute(attribute, name);
  element.content = content;
}

function links(document: Document, head: HeadJson): void {
  for (const old of document.head.querySelectorAll(
    'link[rel="canonical"], link[rel="alternate"][hreflang]',
  )) {
    old.remove();
  }
  if (head.canonical) link(document, { rel: 'canonical', href: head.canonical });
  for (const { hreflang = '', href = '' } of head.alternates ?? []) {
    link(document, { rel: 'alternate', hreflang, href });
  }
}

function link(document: Document, attributes: Record<string, string>): void {
  const element = document.createElement('link');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.head.append(element);
}

function structuredData(document: Document, objects: string[]): void {
  for (const old of document.head.querySelectorAll('script[type="application/ld+json"]')) {
    old.remove();
  }
  for (const object of objects) {
    const element = document.createElement('script');
    element.type = 'application/ld+json';
    element.textContent = object;
    document.head.append(element);
  }
}
