import { afterPaint } from './after-paint';
import { recoverFromLoadError } from './recover';

/**
 * Runs before the first paint, blocking and classic: what a cookie decides about presentation and
 * stored pages therefore cannot carry (docs/pages.md). `hs_h5_colorType` `0` shows rises red and falls
 * green: `<html data-rise="red">`.
 */
function boot() {
  const redRises = /(?:^|;\s*)hs_h5_colorType=0(?:;|$)/.test(document.cookie);
  document.documentElement.dataset.rise = redRises ? 'red' : 'green';
  // A style sheet that cannot be loaded; such events do not bubble.
  window.addEventListener('error', onResourceError, true);
  document.addEventListener('DOMContentLoaded', startApplication);
}

/** The links of the document; scripts add others, which their importers see to. */
let served: ReadonlySet<Element> | undefined;

function onResourceError({ target }: Event) {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  if (served?.has(target) ?? true) recoverFromLoadError();
}

/**
 * What the server sent is painted before the application is fetched and takes over: its code would
 * share the line with what is painted, and on a fast one put the paint off.
 */
async function startApplication() {
  served = new Set(document.querySelectorAll('link'));
  const scripts = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')];
  const entry = scripts.find((script) => script.hasAttribute('data-entry'));
  await afterPaint();
  for (const script of scripts) script.removeAttribute('media');
  // Not all browsers look at a link again for its medium alone.
  document.head.append(...scripts);
  try {
    if (entry) await import(/* @vite-ignore */ entry.href);
  } catch (error) {
    if (!recoverFromLoadError()) throw error;
  }
}

// The document names this script twice, so that it is fetched again where the first request fails.
if (document.documentElement.dataset.rise === undefined) boot();
