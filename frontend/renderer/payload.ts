import { isLocale } from '~/lib/locale';
import type { PagePayload } from '~/lib/page/payload';

const PLATFORMS = ['app', 'mobile', 'pc'];
const THEMES = ['light', 'dark', 'auto'];

/** Parses the body of a render request; describes the problem if it is not a page payload. */
export function readPayload(body: string): PagePayload | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { problem: 'not JSON' };
  }
  const problem = problemOf(value);
  return problem ? { problem } : (value as PagePayload);
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'not an object';
  const { build, page, url, visitor, document } = value;
  if (typeof build !== 'string') return 'build is not a text';
  if (typeof page !== 'string') return 'page is not a text';
  if (typeof url !== 'string' || !(url === '' || url.startsWith('/'))) return 'url is not a path';
  if (!isObject(visitor)) return 'visitor is missing';
  if (!isLocale(visitor.locale)) return 'visitor.locale is unknown';
  if (!PLATFORMS.includes(String(visitor.platform))) return 'visitor.platform is unknown';
  if (!THEMES.includes(String(visitor.theme))) return 'visitor.theme is unknown';
  if (!isObject(document)) return 'document is missing';
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
