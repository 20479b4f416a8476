import { afterPaint } from './after-paint';
import { reloadUnloaded } from './unloaded';

/**
 * Runs before the first paint, blocking and classic: what a cookie decides about presentation and
 * stored pages therefore cannot carry (contract §5). `hs_h5_colorType` `0` shows rises red and falls
 * green (specification §4): `<html data-rise="red">`.
 */
const redRises = /(?:^|;\s*)hs_h5_colorType=0(?:;|$)/.test(document.cookie);
document.documentElement.dataset.rise = redRises ? 'red' : 'green';

// What the server sent is painted before the application takes over: on a fast line its code, which
// is fetched meanwhile, would be there before the first paint and put it off.
document.addEventListener('DOMContentLoaded', async () => {
  const entry = document.querySelector<HTMLLinkElement>('link[data-entry]');
  await afterPaint();
  try {
    if (entry) await (await import(/* @vite-ignore */ entry.href)).started;
  } catch (error) {
    if (!reloadUnloaded()) throw error;
  }
});
