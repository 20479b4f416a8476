import { globSync, readFileSync } from 'node:fs';
import type { PagePayload } from '~/lib/page/payload';

/** Page payloads as the gateway sends them; tests render them. */
export const FIXTURES: readonly string[] = globSync('fixtures/*.json').sort();

export function payloadOf(file: string): PagePayload {
  return JSON.parse(readFileSync(file, 'utf8')) as PagePayload;
}
