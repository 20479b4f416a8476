import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * False on the server and in the first client render of what it wrote, then true. Only what asks is
 * rendered again for it.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
