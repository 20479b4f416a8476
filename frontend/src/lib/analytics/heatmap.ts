import type { EventValue } from './report';

/** Pages whose clicks and scrolling are counted, by the first part of their path. */
const HEATMAP_PAGES = ['home', 'download', 'invest', 'news'];

const TENTHS = 10;

/** Where a page was pressed and how far it was read. */
export class HeatmapCounter {
  private clicks = new Array<number>(TENTHS).fill(0);
  private depth = 0;

  /** Whether a page is counted: the named ones and those below them. */
  static isCounted(page: string): boolean {
    return HEATMAP_PAGES.some((name) => page === name || page.startsWith(`${name}-`));
  }

  /** A press at `y` of a page so high, in CSS pixels. */
  click(y: number, height: number): void {
    const tenth = Math.min(TENTHS - 1, Math.max(0, Math.floor((y / height) * TENTHS)));
    this.clicks[tenth] = (this.clicks[tenth] ?? 0) + 1;
  }

  /** The lower edge of what was seen, of a page so high. */
  scroll(bottom: number, height: number): void {
    this.depth = Math.max(this.depth, Math.min(100, Math.round((bottom / height) * 100)));
  }

  /** The counts of a page that is left, and a new start; nothing where nothing was counted. */
  take(page: string): EventValue | undefined {
    const { clicks, depth } = this;
    this.clicks = new Array<number>(TENTHS).fill(0);
    this.depth = 0;
    if (depth === 0 && clicks.every((count) => count === 0)) return undefined;
    return { page, clicks: clicks.join(','), depth };
  }
}

/** Counts on the pages that are counted. `report` is called when one of them is left. */
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
  document.addEventListener('click', onClick, { passive: true });
  window.addEventListener('scroll', onScroll, { passive: true });
  window.addEventListener('sahm:navigated', onNavigated);
  window.addEventListener('pagehide', close);
  return () => {
    document.removeEventListener('click', onClick);
    window.removeEventListener('scroll', onScroll);
    window.removeEventListener('sahm:navigated', onNavigated);
    window.removeEventListener('pagehide', close);
  };
}
