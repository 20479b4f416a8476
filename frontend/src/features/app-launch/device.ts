import type { StoreLinkJson } from '~/gen/sahm/config/v1/config_pb';
import { useHydrated } from '~/lib/page/hydrated';

/** Whose store a visitor's device belongs to; `other` has none of them. */
export type Device = 'ios' | 'huawei' | 'android' | 'other';

/** Ids of `StoreLink` that are stores, in the order in which they are shown. */
export const STORES = ['ios', 'android', 'huawei'] as const;

/**
 * The device a user agent is of. Huawei's own phones come before Android, whose name they carry;
 * an iPad that calls itself a Mac is known by its touch screen.
 */
export function deviceOf(userAgent: string, touchPoints = 0): Device {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Macintosh/.test(userAgent) && touchPoints > 1) return 'ios';
  if (/HarmonyOS|HUAWEI|HMSCore/i.test(userAgent)) return 'huawei';
  return /Android/.test(userAgent) ? 'android' : 'other';
}

/** Where a device gets the app: its own store, Google's for a Huawei phone without one. */
export function storeOf(stores: readonly StoreLinkJson[], device: Device): string | undefined {
  const url = (id: string) => stores.find((store) => store.id === id)?.url || undefined;
  if (device === 'other') return undefined;
  return url(device) ?? (device === 'huawei' ? url('android') : undefined);
}

/** The visitor's device; nothing on the server and in the first client render. */
export function useDevice(): Device | undefined {
  return useHydrated() ? deviceOf(navigator.userAgent, navigator.maxTouchPoints) : undefined;
}
