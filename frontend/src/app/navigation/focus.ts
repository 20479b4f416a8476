/**
 * After a client navigation, moves focus to the target of the hash, or to the heading, so that
 * keyboard and screen-reader users start at the new content.
 */
export function focusPage(document: Document, hash: string): void {
  const target =
    byHash(document, hash) ?? document.querySelector('h1') ?? document.querySelector('main');
  if (!(target instanceof HTMLElement)) return;
  if (!target.matches('a, button, input, select, textarea, summary, [tabindex]')) {
    target.tabIndex = -1;
  }
  target.focus({ preventScroll: true });
}

/** Announces a text to screen readers, in the live region of `ClientEffects`. */
export function announce(document: Document, text: string): void {
  const region = document.getElementById('sahm-announcer');
  if (region) region.textContent = text;
}

function byHash(document: Document, hash: string): Element | null {
  if (hash.length < 2) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}
