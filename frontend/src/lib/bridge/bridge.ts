/**
 * The bridge to the native app, the only place that knows its form.
 *
 * The app puts `window.SahmApp.postMessage` (Android) or `window.webkit.messageHandlers.sahmApp`
 * (iOS) there before the page runs. A message is `{id, method, params}`; Android gets it as JSON
 * text. The app answers by the event `sahm:native` on `window` whose `detail` is `{id, ok, data?}`.
 * What the app may know of itself stands in `window.SahmApp.device`.
 */
export interface NativeMethods {
  /** Opens the app's share sheet. */
  share: { title: string; text: string; url: string };
  /** Shows the app's login; its answer says whether somebody is logged in now. */
  login: { target: string };
  /** Opens an address: a screen of the app, or the system's browser. */
  open: { url: string };
  /** Names the screen that the page is shown on. */
  title: { title: string };
}

export type NativeMethod = keyof NativeMethods;

interface Handler {
  postMessage(message: unknown): void;
}

/** What the app adds to a window. */
export interface NativeWindow extends EventTarget {
  SahmApp?: Partial<Handler> & { device?: { deviceNo?: unknown; sellClient?: unknown } };
  webkit?: { messageHandlers?: { sahmApp?: Handler } };
}

/** An app that does not answer within this does not know the method. */
const ANSWER_WITHIN = 60_000;

let last = 0;

/** Whether the page is shown by an app that can be talked to. */
export function hasNative(window: NativeWindow): boolean {
  return posterOf(window) !== undefined;
}

/**
 * Asks the app for something; true when it says that it was done. Outside the app, and where the
 * app refuses or does not answer, false: the caller does it in the page's own way.
 */
export function native<M extends NativeMethod>(
  window: NativeWindow,
  method: M,
  params: NativeMethods[M],
  within = ANSWER_WITHIN,
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

/** Who reports: the app's own numbers, else the website's. */
export function deviceOf(
  window: NativeWindow,
  sellClient: number,
): { sellClient: number; deviceNo?: string } {
  const { deviceNo, sellClient: own } = window.SahmApp?.device ?? {};
  return {
    sellClient: typeof own === 'number' && Number.isInteger(own) && own > 0 ? own : sellClient,
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
