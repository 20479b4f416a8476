import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * False on the server and during hydration, then true. Only components that use it render again.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
