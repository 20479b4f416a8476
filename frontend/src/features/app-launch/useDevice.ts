import { useHydrated } from '~/lib/page/hydrated';
import { type Device, deviceOf } from './device';

/** The visitor's device; undefined on the server and in the first client render. */
export function useDevice(): Device | undefined {
  return useHydrated() ? deviceOf(navigator.userAgent, navigator.maxTouchPoints) : undefined;
}
