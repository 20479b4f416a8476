import type { EventValue } from './report';

/** Pages whose clicks and scrolling are counted, by first path segment. */
const HEATMAP_PAGES = ['home', 'download', 'invest', 'news'];

const TENTHS = 10;

/** Counts where a page was clicked and how far it was scrolled. */
export class HeatmapCounter {
  private clicks = new Array<number>(TENTHS).fill(0);
  private depth = 0;

  /** Whether a page or a parent of it is counted. */
  static isCounted(page: string): boolean {
    return HEATMAP_PAGES.some((name) => page === name || page.startsWith(`${name}-`));
  }

  /** A click at `y` on a page of this height, in CSS pixels. */
  click(y: number, height: number): void {
    const tenth = Math.min(TENTHS - 1, Math.max(0, Math.floor((y / height) * TENTHS)));
    this.clicks[tenth] = (this.clicks[tenth] ?? 0) + 1;
  }

  /** The lower edge of the viewport on a page of this height. */
  scroll(bottom: number, height: number): void {
    this.depth = Math.max(this.depth, Math.min(100, Math.round((bottom / height) * 100)));
  }

  /** Returns the counts of a page and resets them; undefined if nothing was counted. */
  take(page: string): EventValue | undefined {
    const { clicks, depth } = this;
    this.clicks = new Array<number>(TENTHS).fill(0);
    this.depth = 0;
    if (depth === 0 && clicks.every((count) => count === 0)) return undefined;
    return { page, clicks: clicks.join(','), depth };
  }
}

/** Counts on listed pages. `report` receives the counts of a page that is left. */
export function startHeatmap(
  pageNow: () => string,
  report: (value: EventValue) => void,
): () => void {
  const heat = new HeatmapCounter();
  let page = pageNow();
  const height = () => Math.max(1, document.documentElement.scrollHeight);
  const onClick = ({ pageY }: MouseEvent) => heat.click(pageY, height());
  const onScroll = () => heat.scroll(window.scrollY + window.innerHeight, height());
  const close = () => {
    const value = heat.take(page);
    if (value && HeatmapCounter.isCounted(page)) report(value);
  };
  const onNavigated = () => {
    close();
    page = pageNow();
    onScroll();
  };
  onScroll();
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('click', onClick, { passive: true, signal });
  window.addEventListener('scroll', onScroll, { passive: true, signal });
  window.addEventListener('sahm:navigated', onNavigated, { signal });
  window.addEventListener('pagehide', close, { signal });
  return () => listening.abort();
}
