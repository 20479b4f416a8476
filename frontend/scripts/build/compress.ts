import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const TEXT = /\.(?:js|css|svg|json|txt|webmanifest)$/;

export interface Sizes {
  raw: number;
  gzip: number;
}

/** Writes `.br` and `.gz` beside a file if they are smaller; returns the sizes. */
export async function compress(file: string): Promise<Sizes> {
  const raw = readFileSync(file);
  if (!TEXT.test(file)) return { raw: raw.length, gzip: raw.length };
  const [br, gz] = await Promise.all([
    brotli(raw, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
      },
    }),
    zip(raw, { level: 9 }),
  ]);
  if (br.length < raw.length) writeFileSync(`${file}.br`, br);
  if (gz.length < raw.length) writeFileSync(`${file}.gz`, gz);
  return { raw: raw.length, gzip: Math.min(gz.length, raw.length) };
}
