import type { NativeMethod, NativeWindow } from './bridge';

/** A call that the app received. */
export interface BridgeRequest {
  id: number;
  method: NativeMethod;
  params: object;
}

/** For tests: a window inside an app with given responses. */
export function fakeNative(
  system: 'android' | 'ios',
  answer: (request: BridgeRequest) => boolean | undefined,
): { window: NativeWindow; requests: BridgeRequest[] } {
  const window: NativeWindow = new EventTarget();
  const requests: BridgeRequest[] = [];
  const postMessage = (message: unknown) => {
    const one = (typeof message === 'string' ? JSON.parse(message) : message) as BridgeRequest;
    requests.push(one);
    const ok = answer(one);
    if (ok === undefined) return;
    queueMicrotask(() =>
      window.dispatchEvent(new CustomEvent('sahm:native', { detail: { id: one.id, ok } })),
    );
  };
  if (system === 'android') window.SahmApp = { postMessage };
  else window.webkit = { messageHandlers: { sahmApp: { postMessage } } };
  return { window, requests };
}
