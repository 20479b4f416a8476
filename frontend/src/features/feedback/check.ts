import { isEmail } from '~/lib/email';
import type { PictureError } from './picture';

/** The fields of the texts, as they are in the form. */
export const FIELDS = ['subject', 'content', 'contact'] as const;

export type FieldName = (typeof FIELDS)[number];

/** The texts of the form as typed. */
type FeedbackTexts = Record<FieldName, string>;

export const MAX_SUBJECT_LENGTH = 100;
export const MAX_CONTENT_LENGTH = 5_000;
export const MAX_CONTACT_LENGTH = 100;
/** Maximum number of pictures in a form (docs/limits-and-timeouts.md). */
export const MAX_PICTURES = 3;

/** The fields whose texts are wrong, by the same rules as the server's. */
export function wrongTexts({ subject, content, contact }: FeedbackTexts): FieldName[] {
  const isRight = {
    subject: within(subject, MAX_SUBJECT_LENGTH),
    content: within(content, MAX_CONTENT_LENGTH),
    contact: within(contact, MAX_CONTACT_LENGTH) && isContact(contact),
  };
  return FIELDS.filter((field) => !isRight[field]);
}

/**
 * Whether a text is an email address or a telephone number: 7 to 17 digits of any script, with
 * common separators.
 */
export function isContact(text: string): boolean {
  const trimmed = text.trim();
  if (isEmail(trimmed)) return true;
  const digits = trimmed.replace(/^\+/, '').replace(/[\s().-]/g, '');
  return /^\p{Nd}{7,17}$/u.test(digits);
}

/** The server's errors about pictures. */
export interface RejectedPictures {
  /** The server accepts fewer than were sent. */
  hasTooMany: boolean;
  /** The error of each picture, by its position. */
  errors: readonly (PictureError | undefined)[];
}

/** Reads the server's errors about pictures from the data of a failed call. */
export function rejectedPictures(data: unknown): RejectedPictures {
  const fields = (data as { fields?: Record<string, unknown> } | null)?.fields ?? {};
  const reasons = Array.from({ length: MAX_PICTURES }, (_, index) => fields[`files[${index}]`]);
  return {
    hasTooMany: 'files' in fields,
    errors: reasons.map((reason) => (reason === undefined ? undefined : pictureError(`${reason}`))),
  };
}

function pictureError(reason: string): PictureError {
  if (reason.includes('smaller')) return 'small';
  return reason.includes('larger') ? 'large' : 'kind';
}

function within(text: string, maxLength: number): boolean {
  const length = [...text.trim()].length;
  return length >= 1 && length <= maxLength;
}
