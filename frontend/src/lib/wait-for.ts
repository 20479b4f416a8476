const POLL_INTERVAL_MS = 300;
const MAX_POLLS = 20;

/**
 * Resolves with the first defined result of `found`, called immediately and then every 300 ms, 20
 * times in all. Rejects after that.
 */
export function waitFor<T>(found: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = MAX_POLLS;
    const ask = () => {
      const value = found();
      left -= 1;
      if (value !== undefined) resolve(value);
      else if (left > 0) setTimeout(ask, POLL_INTERVAL_MS);
      else reject(new Error(`timed out after ${MAX_POLLS} polls`));
    };
    ask();
  });
}
