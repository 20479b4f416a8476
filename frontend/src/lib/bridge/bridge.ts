/**
 * The bridge to the native app; no other module knows its protocol. The app defines
 * `window.SahmApp.postMessage` (Android) or `window.webkit.messageHandlers.sahmApp` (iOS) before
 * the page runs. A message is `{id, method, params}`, on Android as JSON text. The app responds
 * with the event `sahm:native` on `window`, whose `detail` is `{id, ok, data?}`.
 * `window.SahmApp.device` describes the app.
 */
export interface NativeMethods {
  /** Opens the app's share sheet. */
  share: { title: string; text: string; url: string };
  /** Shows the app's login; the response says whether a member is logged in. */
  login: { target: string };
  /** Opens an address in a screen of the app or in the system browser. */
  open: { url: string };
  /** Sets the title of the screen that shows the page. */
  title: { title: string };
}

export type NativeMethod = keyof NativeMethods;

interface Handler {
  postMessage(message: unknown): void;
}

/** What the app adds to `window`. */
export interface NativeWindow extends EventTarget {
  SahmApp?: Partial<Handler> & { device?: { deviceNo?: unknown; sellClient?: unknown } };
  webkit?: { messageHandlers?: { sahmApp?: Handler } };
}

/** Timeout of a response; an app that does not respond does not know the method. */
const REPLY_TIMEOUT_MS = 60_000;

let last = 0;

/** Whether the page runs in an app with a bridge. */
export function hasNative(window: NativeWindow): boolean {
  return posterOf(window) !== undefined;
}

/**
 * Calls a method of the app; resolves with whether it succeeded. False outside the app, and if the
 * app rejects the call or does not respond: callers then use the website's equivalent.
 */
export function native<M extends NativeMethod>(
  window: NativeWindow,
  method: M,
  params: NativeMethods[M],
  within = REPLY_TIMEOUT_MS,
): Promise<boolean> {
  const post = posterOf(window);
  if (!post) return Promise.resolve(false);
  const id = ++last;
  return new Promise((resolve) => {
    const done = (ok: boolean) => {
      clearTimeout(timer);
      window.removeEventListener('sahm:native', onAnswer);
      resolve(ok);
    };
    const onAnswer = (event: Event) => {
      const answer = (event as CustomEvent<{ id?: unknown; ok?: unknown } | null>).detail;
      if (answer?.id === id) done(answer.ok === true);
    };
    const timer = setTimeout(done, within, false);
    window.addEventListener('sahm:native', onAnswer);
    try {
      post({ id, method, params });
    } catch {
      done(false);
    }
  });
}

/** Device values of a report: the app's, else the website's. */
export function deviceOf(
  window: NativeWindow,
  sellClient: number,
): { sellClient: number; deviceNo?: string } {
  const { deviceNo, sellClient: appClient } = window.SahmApp?.device ?? {};
  return {
    sellClient:
      typeof appClient === 'number' && Number.isInteger(appClient) && appClient > 0
        ? appClient
        : sellClient,
    ...(typeof deviceNo === 'string' && deviceNo !== '' && { deviceNo }),
  };
}

function posterOf(window: NativeWindow): ((message: object) => void) | undefined {
  const android = window.SahmApp;
  if (typeof android?.postMessage === 'function') {
    return (message) => android.postMessage?.(JSON.stringify(message));
  }
  const ios = window.webkit?.messageHandlers?.sahmApp;
  return ios && ((message) => ios.postMessage(message));
}

declare global {
  interface Window extends NativeWindow {}
}
