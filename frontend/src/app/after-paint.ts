/** Where no paint is told of, nothing is waited for longer. */
const AT_MOST = 1_000;

/** Resolves once the page's first content is on the screen; at once in a page that is not shown. */
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
