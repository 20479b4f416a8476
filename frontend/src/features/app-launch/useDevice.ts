import { useSyncExternalStore } from 'react';
import { type Device, deviceOf } from './device';

const never = () => () => {};

/** The visitor's device; nothing on the server and in the first client render. */
export function useDevice(): Device | undefined {
  return useSyncExternalStore(
    never,
    () => deviceOf(navigator.userAgent, navigator.maxTouchPoints),
    () => undefined,
  );
}
