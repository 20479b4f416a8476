import { readFileSync } from 'node:fs';

let kept;

/**
 * The page's document as the site's `/_data` gave it: `{build, page, document}`, from the file that
 * `BENCH_DOCUMENT` names. Read once: what it costs to fetch is in no app's measurement.
 */
export function pageDocument() {
  kept ??= JSON.parse(readFileSync(process.env.BENCH_DOCUMENT, 'utf8')).document;
  return kept;
}
