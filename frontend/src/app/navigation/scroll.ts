/** Scroll positions by history entry key, for this document. */
const positions = new Map<string, number>();

export function saveScroll(key: string): void {
  positions.set(key, window.scrollY);
}

/**
 * Restores the scroll position of a history entry, else scrolls to the hash target, else to the
 * top.
 */
export function restoreScroll(key: string, isPop: boolean, hash: string): void {
  const saved = isPop ? positions.get(key) : undefined;
  const target = hash.length > 1 ? document.getElementById(decoded(hash.slice(1))) : null;
  if (saved === undefined && target) target.scrollIntoView({ behavior: 'instant' });
  else window.scrollTo({ top: saved ?? 0, behavior: 'instant' });
}

/**
 * Stops the browser from scrolling before a popped page is in the document. The browser restores
 * the position itself when it reloads the document.
 */
export function takeOverScrolling(window: Window): () => void {
  const { history } = window;
  const manual = () => {
    history.scrollRestoration = 'manual';
  };
  const auto = () => {
    history.scrollRestoration = 'auto';
  };
  manual();
  window.addEventListener('pagehide', auto);
  window.addEventListener('pageshow', manual);
  return () => {
    auto();
    window.removeEventListener('pagehide', auto);
    window.removeEventListener('pageshow', manual);
  };
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
