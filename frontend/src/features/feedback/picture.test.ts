import { describe, expect, it, test } from 'vitest';
import { validateHead, validateImage } from './picture';

const KB = 1024;
const MB = 1024 * KB;
const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46];
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const bmp = [0x42, 0x4d, 0x36, 0, 0, 0, 0, 0];

test.each([
  [jpeg, 500 * KB, undefined],
  [png, 5 * MB, undefined],
  [bmp, MB, undefined],
  [jpeg, 500 * KB - 1, 'small'],
  [png, 5 * MB + 1, 'large'],
  [[0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0, 0], MB, 'kind'],
  [[0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x2e, 0x37], MB, 'kind'],
  [png.slice(0, 7), MB, 'kind'],
  [[], 0, 'kind'],
  [[0xff, 0xd8], MB, 'kind'],
])('%j of %i bytes: %s', (head, size, error) => {
  expect(validateHead(new Uint8Array(head), size)).toBe(error);
});

describe('validateImage', () => {
  it('reads the signature of the file instead of its name', async () => {
    const text = new File(['hello'.repeat(200_000)], 'photo.png', { type: 'image/png' });
    expect(await validateImage(text)).toBe('kind');
    const picture = new File([new Uint8Array(png), new Uint8Array(MB)], 'notes.txt');
    expect(await validateImage(picture)).toBeUndefined();
  });

  it('rejects a file that cannot be read', async () => {
    const broken = new File([], 'gone.png');
    broken.slice = () => {
      throw new Error('gone');
    };
    expect(await validateImage(broken)).toBe('kind');
  });
});
