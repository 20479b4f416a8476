import type { StoreLinkJson } from '~/gen/sahm/config/v1/config_pb';
import { useHydrated } from '~/lib/page/hydrated';

/** The platform of a visitor's device; `other` has no app store. */
export type Device = 'ios' | 'huawei' | 'android' | 'other';

/** Ids of `StoreLink` that are stores, in display order. */
export const STORES = ['ios', 'android', 'huawei'] as const;

/**
 * The device of a user agent. Huawei is matched before Android, which its user agents also contain;
 * an iPad that claims to be a Mac is detected by its touch screen.
 */
export function deviceOf(userAgent: string, touchPoints = 0): Device {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (/Macintosh/.test(userAgent) && touchPoints > 1) return 'ios';
  if (/HarmonyOS|HUAWEI|HMSCore/i.test(userAgent)) return 'huawei';
  return /Android/.test(userAgent) ? 'android' : 'other';
}

/** The app store of a device; Google's for a Huawei phone if Huawei's store is not set. */
export function storeOf(stores: readonly StoreLinkJson[], device: Device): string | undefined {
  const url = (id: string) => stores.find((store) => store.id === id)?.url || undefined;
  if (device === 'other') return undefined;
  return url(device) ?? (device === 'huawei' ? url('android') : undefined);
}

/** The visitor's device; undefined on the server and in the first client render. */
export function useDevice(): Device | undefined {
  return useHydrated() ? deviceOf(navigator.userAgent, navigator.maxTouchPoints) : undefined;
}
