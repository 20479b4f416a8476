/** The scripts of a document, as listed in `#sahm-scripts` (gateway: render/html.rs). */
export interface PageScripts {
  /** The module that hydrates the page. */
  entry: string;
  /** Static imports of the entry on this page, messages included. */
  preload: string[];
  /** Scripts of lazily hydrated parts and of navigations. */
  prefetch: string[];
}

const NO_SCRIPTS: PageScripts = { entry: '', preload: [], prefetch: [] };

/** Documents of the development server contain none. */
export function readPageScripts(): PageScripts {
  const text = document.getElementById('sahm-scripts')?.textContent;
  return text ? (JSON.parse(text) as PageScripts) : NO_SCRIPTS;
}

/** Adds a `<link>` that fetches a script before its import. */
export function addScriptLink(rel: 'modulepreload' | 'prefetch', href: string): void {
  const link = document.createElement('link');
  link.rel = rel;
  link.href = href;
  link.fetchPriority = 'low';
  if (rel === 'prefetch') link.as = 'script';
  document.head.append(link);
}
