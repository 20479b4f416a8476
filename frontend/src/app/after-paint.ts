/** Timeout for browsers that do not report a paint. */
const PAINT_TIMEOUT_MS = 1_000;

/** Resolves after the first contentful paint; immediately if the page is hidden. */
export function afterPaint(): Promise<void> {
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_TIMEOUT_MS);
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
  });
}
