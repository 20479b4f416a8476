import { useEffect, useRef, useState } from 'react';
import { type Device, storeOf } from '~/features/app-launch/device';
import { launch, type Outcome } from '~/features/app-launch/launch';
import { launchOf, originOf, targetOf } from '~/features/app-launch/target';
import { useDevice } from '~/features/app-launch/useDevice';
import { hostAppOf } from '~/features/in-app-guide/apps';
import { pathTo } from '~/lib/links/path-to';
import { usePaths } from '~/lib/links/paths';
import { useAddress } from '~/lib/links/useAddress';
import { useHydrated } from '~/lib/page/hydrated';
import { usePage } from '~/lib/page/page';

/** Where a launch stands. */
export type LaunchState = 'idle' | 'trying' | Outcome;

export interface AppLaunch {
  state: LaunchState;
  device: Device | undefined;
  /** The web page that the query names, to be read in the browser instead. */
  page: string | undefined;
  start(): void;
}

/**
 * Opens the app at what the query names. A phone that was sent
 * here with a target is not made to press a button; a launch that failed goes on to the phone's
 * store, or to the download page where there is none.
 */
export function useAppLaunch(oneLink: string, targetOrigins: readonly string[]): AppLaunch {
  const { frame } = usePage();
  const hydrated = useHydrated();
  const { href } = usePaths();
  const { search } = useAddress();
  const device = useDevice();
  const [state, setState] = useState<LaunchState>('idle');
  const begun = useRef(false);
  const ofOneLink = originOf(oneLink);
  const origins = ofOneLink ? [ofOneLink, ...targetOrigins] : targetOrigins;
  const target = hydrated ? targetOf(search, window.location.origin, origins) : undefined;
  const fallback =
    (device && storeOf(frame.layoutData?.stores ?? [], device)) ?? href(pathTo('download'));

  async function start() {
    if (!device || state === 'trying') return;
    if (device === 'other') {
      window.location.assign(fallback);
      return;
    }
    setState('trying');
    const outcome = await launch(launchOf(device, target, oneLink).url);
    setState(outcome);
    if (outcome === 'failed') window.location.assign(fallback);
  }

  // Inside another app's browser the guide leads out of it first.
  const auto =
    target !== undefined &&
    device !== undefined &&
    device !== 'other' &&
    !hostAppOf(navigator.userAgent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the target is known
  useEffect(() => {
    if (!auto || begun.current) return;
    begun.current = true;
    start();
  }, [auto]);

  const page = target && /^https?:/.test(target) ? target : undefined;
  return { state, device, page, start };
}
