import { origin } from './site.ts';

/** Fails at once, with one line, where no site answers. */
export default async function reachable() {
  const answer = await fetch(`${origin()}/en-us`).catch((error: unknown) => {
    throw new Error(`no site at ${origin()}`, { cause: error });
  });
  if (!answer.ok) throw new Error(`${origin()}/en-us answers ${answer.status}`);
}
