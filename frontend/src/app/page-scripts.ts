/** The scripts of a document, as the gateway names them in `#sahm-scripts` (gateway: render/html.rs). */
export interface PageScripts {
  /** The module that hydrates the page. */
  entry: string;
  /** What it imports on this page, texts included. */
  preload: string[];
  /** Scripts of parts out of view and of navigations. */
  prefetch: string[];
}

const NONE: PageScripts = { entry: '', preload: [], prefetch: [] };

/** The development server writes none into its documents. */
export function readPageScripts(): PageScripts {
  const text = document.getElementById('sahm-scripts')?.textContent;
  return text ? (JSON.parse(text) as PageScripts) : NONE;
}

/** Asks the browser for a script ahead of its import. */
export function addScriptLink(rel: 'modulepreload' | 'prefetch', href: string): void {
  const link = document.createElement('link');
  link.rel = rel;
  link.href = href;
  link.fetchPriority = 'low';
  if (rel === 'prefetch') link.as = 'script';
  document.head.append(link);
}
