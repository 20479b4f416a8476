import { fileURLToPath } from 'node:url';

/** A path inside `frontend/`. */
export const inFrontend = (path: string) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const CLIENT_DIR = inFrontend('dist/client');
export const SERVER_DIR = inFrontend('dist/server');
export const SITE_FILE = inFrontend('dist/site.json');

/** The address of a file of the client's build. */
export function addressOf(fileName: string): string {
  return `/${fileName}`;
}
