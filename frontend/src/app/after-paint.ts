/** Timeout for browsers that do not report a paint. */
const AT_MOST = 1_000;

/** Resolves after the first contentful paint; immediately if the page is hidden. */
export function afterPaint(): Promise<void> {
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    setTimeout(resolve, AT_MOST);
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
  });
}
