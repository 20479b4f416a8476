import { origin } from './site.ts';

/** Fails the run with a one-line error if the site does not respond. */
export default async function checkSite() {
  const response = await fetch(`${origin()}/en-us`).catch((error: unknown) => {
    throw new Error(`no site at ${origin()}`, { cause: error });
  });
  if (!response.ok) throw new Error(`${origin()}/en-us answers ${response.status}`);
}
