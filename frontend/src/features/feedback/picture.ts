/** Minimum size of an uploaded picture. */
export const MIN_UPLOAD_KB = 500;
export const MAX_UPLOAD_MB = 5;

const KILOBYTE = 1024;
export const MEGABYTE = 1024 * KILOBYTE;

/** Why a picture is rejected: not JPEG, PNG or BMP; below 500 KB; above 5 MB. */
export type PictureError = 'kind' | 'small' | 'large';

/** Bytes needed to recognise a file type. */
const HEAD_LENGTH = 8;

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BMP = [0x42, 0x4d];

/**
 * Validates a file by its first bytes and its size, as the server does with the whole content.
 * Names and types reported by the browser are not trusted.
 */
export function validateHead(head: Uint8Array, size: number): PictureError | undefined {
  if (![JPEG, PNG, BMP].some((mark) => mark.every((byte, at) => head[at] === byte))) return 'kind';
  if (size < MIN_UPLOAD_KB * KILOBYTE) return 'small';
  return size > MAX_UPLOAD_MB * MEGABYTE ? 'large' : undefined;
}

/** Reads the start of a chosen file and validates it; an unreadable file is not a picture. */
export async function validateImage(file: Blob): Promise<PictureError | undefined> {
  try {
    return validateHead(new Uint8Array(await file.slice(0, HEAD_LENGTH).arrayBuffer()), file.size);
  } catch {
    return 'kind';
  }
}
