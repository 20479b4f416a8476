import { pathTo } from '~/lib/links/path-to';
import { withQuery } from '~/lib/links/paths';

/** The parts of a document's address. */
export interface DocumentName {
  id?: string;
  slug?: string;
  /** `help-document` or `legal-document`. */
  kind?: string;
}

/** The document whose page also holds the feedback form. */
export const FEEDBACK_SLUG = 'how-to-contact-support';

/** The feedback page, without locale prefix. */
export const FEEDBACK_PATH = pathTo('support-detail', { articleId: FEEDBACK_SLUG });

/** A document's address, without locale prefix. */
export function documentPath({ id = '', slug, kind }: DocumentName): string {
  const name = slug || id;
  return kind === 'legal-document'
    ? pathTo('terms', { id: name })
    : pathTo('support-detail', { articleId: name });
}

/** A channel's address, without locale prefix. */
export function channelPath({ id = '', slug }: { id?: string; slug?: string }): string {
  return pathTo('support-channel', { id: slug || id });
}

/** The address of a list's first page; keeps the other query parameters of `url`. */
export function firstHref(url: string): string {
  return withQuery(url, ['cursor']);
}
