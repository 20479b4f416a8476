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

/** Announces the new page's title to screen readers. */
export function announce(document: Document, text: string): void {
  let region = document.getElementById('sahm-announcer');
  if (!region) {
    region = document.createElement('div');
    region.id = 'sahm-announcer';
    region.setAttribute('aria-live', 'polite');
    region.style.cssText =
      'position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';
    document.body.append(region);
  }
  region.textContent = text;
}

function byHash(document: Document, hash: string): Element | null {
  if (hash.length < 2) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}
