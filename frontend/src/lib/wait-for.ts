import { POLL_ATTEMPTS, POLL_INTERVAL } from '~/lib/constants';

/**
 * What `found` gives once it gives something: asked at once, then every 300 ms, 20 times in all. Rejects when it is still nothing.
 */
export function waitFor<T>(found: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = POLL_ATTEMPTS;
    const ask = () => {
      const value = found();
      left -= 1;
      if (value !== undefined) resolve(value);
      else if (left > 0) setTimeout(ask, POLL_INTERVAL);
      else reject(new Error('waited for in vain'));
    };
    ask();
  });
}
