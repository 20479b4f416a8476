import type { PictureError } from './picture';

/** The texts of the form as typed. */
export interface FeedbackTexts {
  subject: string;
  content: string;
  contact: string;
}

/** Validation errors, as keys of the messages `feedback:error.…`. */
export type FieldError =
  | 'subject'
  | 'content'
  | 'contact'
  | 'file.kind'
  | 'file.small'
  | 'file.large'
  | 'file.many';

/** Errors by field: `files[0]` and so on for single files, `files` for all. */
export type FieldErrors = Partial<Record<string, FieldError>>;

export const SUBJECT_LENGTH = 100;
export const CONTENT_LENGTH = 5_000;
export const CONTACT_LENGTH = 100;
/** Maximum of pictures in a form (docs/limits-and-timeouts.md). */
export const FILES = 3;

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** Validates the texts by the same rules as the server. */
export function validate({ subject, content, contact }: FeedbackTexts): FieldErrors {
  const errors: FieldErrors = {};
  if (!within(subject, SUBJECT_LENGTH)) errors.subject = 'subject';
  if (!within(content, CONTENT_LENGTH)) errors.content = 'content';
  if (!within(contact, CONTACT_LENGTH) || !isContact(contact)) errors.contact = 'contact';
  return errors;
}

/**
 * Whether a text is an email address or a telephone number: 7 to 17 digits of any script, with
 * common separators.
 */
export function isContact(text: string): boolean {
  const trimmed = text.trim();
  if (EMAIL.test(trimmed)) return true;
  const digits = trimmed.replace(/^\+/, '').replace(/[\s().-]/g, '');
  return /^\p{Nd}{7,17}$/u.test(digits);
}

/** The server's field errors as our messages; fields that the form does not have are dropped. */
export function serverErrors(data: unknown): FieldErrors {
  const fields = (data as { fields?: Record<string, unknown> } | null)?.fields ?? {};
  const errors: FieldErrors = {};
  for (const [field, why] of Object.entries(fields)) {
    if (field === 'subject' || field === 'content' || field === 'contact') errors[field] = field;
    else if (field === 'files') errors.files = 'file.many';
    else if (/^files\[[0-2]\]$/.test(field)) errors[field] = `file.${pictureError(String(why))}`;
  }
  return errors;
}

function pictureError(why: string): PictureError {
  if (why.includes('smaller')) return 'small';
  return why.includes('larger') ? 'large' : 'kind';
}

function within(text: string, most: number): boolean {
  const length = [...text.trim()].length;
  return length >= 1 && length <= most;
}
