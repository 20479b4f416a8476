/** Scroll positions of this document's history, by the key of their entry. */
const positions = new Map<string, number>();

export function saveScroll(key: string): void {
  positions.set(key, window.scrollY);
}

/** Scrolls to where a history entry was left, else to what `hash` names, else to the top. */
export function restoreScroll(key: string, isPop: boolean, hash: string): void {
  const saved = isPop ? positions.get(key) : undefined;
  const target = hash.length > 1 ? document.getElementById(decoded(hash.slice(1))) : null;
  if (saved === undefined && target) target.scrollIntoView({ behavior: 'instant' });
  else window.scrollTo({ top: saved ?? 0, behavior: 'instant' });
}

/**
 * Keeps the browser from scrolling before a popped page is in the document. It restores the position
 * itself where it loads the document again.
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
