import { afterPaint } from './after-paint';
import { addScriptLink, readPageScripts } from './page-scripts';
import { recoverFromLoadError } from './recover';

/**
 * Runs before the first paint, as a blocking classic script: applies the presentation that depends
 * on a cookie, which cached pages cannot contain (docs/pages.md). Cookie `hs_h5_colorType` `0`
 * shows rises in red and falls in green: `<html data-rise="red">`.
 */
function boot() {
  const redRises = /(?:^|;\s*)hs_h5_colorType=0(?:;|$)/.test(document.cookie);
  document.documentElement.dataset.rise = redRises ? 'red' : 'green';
  // Load errors of style sheets do not bubble, so the listener captures them.
  window.addEventListener('error', onResourceError, true);
  document.addEventListener('DOMContentLoaded', startApplication);
}

/** The link elements of the document. Scripts add others, whose importers handle their errors. */
let served: ReadonlySet<Element> | undefined;

function onResourceError({ target }: Event) {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  if (served?.has(target) ?? true) recoverFromLoadError();
}

/**
 * Loads the application after the first paint: earlier, scripts would compete with visible content
 * for bandwidth and delay the paint.
 */
async function startApplication() {
  served = new Set(document.querySelectorAll('link'));
  const { entry, preload } = readPageScripts();
  if (!entry) return;
  await afterPaint();
  for (const script of preload) addScriptLink('modulepreload', script);
  try {
    await import(/* @vite-ignore */ entry);
  } catch (error) {
    if (!recoverFromLoadError()) throw error;
  }
}

// The document references this script twice, so that it is requested again if the first request
// fails.
if (document.documentElement.dataset.rise === undefined) boot();
