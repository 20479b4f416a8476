import { afterPaint } from './after-paint';
import { reloadUnloaded } from './unloaded';

/**
 * Runs before the first paint, blocking and classic: what a cookie decides about presentation and
 * stored pages therefore cannot carry (contract §5). `hs_h5_colorType` `0` shows rises red and falls
 * green (specification §4): `<html data-rise="red">`.
 */
const redRises = /(?:^|;\s*)hs_h5_colorType=0(?:;|$)/.test(document.cookie);
document.documentElement.dataset.rise = redRises ? 'red' : 'green';

// What the server sent is painted before the application is fetched and takes over: its code would
// share the line with what is painted, and on a fast one put the paint off.
document.addEventListener('DOMContentLoaded', async () => {
  const scripts = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')];
  const entry = scripts.find((script) => script.hasAttribute('data-entry'));
  await afterPaint();
  for (const script of scripts) script.removeAttribute('media');
  // Not all browsers look at a link again for its medium alone.
  document.head.append(...scripts);
  try {
    if (entry) await (await import(/* @vite-ignore */ entry.href)).started;
  } catch (error) {
    if (!reloadUnloaded()) throw error;
  }
});
