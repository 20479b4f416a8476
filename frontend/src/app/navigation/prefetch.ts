interface Connection {
  effectiveType?: string;
  saveData?: boolean;
}

export interface PrefetchOptions {
  document: Document;
  /** The links currently in the page. */
  links(): Iterable<HTMLAnchorElement>;
  linkOf(event: Event): HTMLAnchorElement | undefined;
  isClientLink(link: HTMLAnchorElement): boolean;
  /** The code of the link's page. */
  prefetchCode(link: HTMLAnchorElement): void;
  /** The document of the link's page. */
  prefetchData(link: HTMLAnchorElement): void;
}

/** Idle time after which links are prefetched. */
export const PREFETCH_IDLE_MS = 2_000;
/** Documents prefetched for links in view; others wait for a hover. */
const MAX_LINKS_IN_VIEW = 4;
/** A pointer that only passes over a link does not prefetch. */
const HOVER_DWELL_MS = 80;

/** Never on 2G or with the data-saving preference. */
export function mayPrefetch(connection: Connection | undefined): boolean {
  return !connection?.saveData && !connection?.effectiveType?.includes('2g');
}

/** Whether the window's connection allows prefetching. */
export function mayPrefetchHere({ navigator }: Window): boolean {
  return mayPrefetch((navigator as { connection?: Connection }).connection);
}

/**
 * Prefetches link targets: code and data immediately for a hovered or focused link, and the data of
 * some links in view after two idle seconds. Returns a function to call after each navigation.
 */
export function startPrefetch(options: PrefetchOptions): () => void {
  const { document } = options;
  const window = document.defaultView;
  if (!window || !mayPrefetchHere(window)) return () => {};

  let dwell: number | undefined;
  const schedulePrefetch = (link: HTMLAnchorElement | undefined | null) => {
    window.clearTimeout(dwell);
    if (!link || !options.isClientLink(link)) return;
    dwell = window.setTimeout(() => {
      options.prefetchCode(link);
      options.prefetchData(link);
    }, HOVER_DWELL_MS);
  };
  const onLinkEvent = (event: Event) => schedulePrefetch(options.linkOf(event));
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, onLinkEvent, { passive: true });
  }
  // A navigation fetches the data itself.
  document.addEventListener('click', () => window.clearTimeout(dwell));
  // A link may be hovered before this code is loaded.
  schedulePrefetch(document.querySelector<HTMLAnchorElement>('a[href]:is(:hover, :focus)'));

  let idle: number | undefined;
  const restartIdleTimer = () => {
    window.clearTimeout(idle);
    idle = window.setTimeout(prefetchLinksInView, PREFETCH_IDLE_MS);
  };
  // One link per task: looking up a target takes milliseconds on phones.
  const prefetchLinksInView = () => {
    const links = [...options.links()].filter((link) => isInView(link, window));
    let count = 0;
    const next = () => {
      const link = links.shift();
      if (!link) return;
      idle = window.setTimeout(next);
      if (!options.isClientLink(link)) return;
      if (count++ < MAX_LINKS_IN_VIEW) options.prefetchData(link);
    };
    next();
  };
  for (const type of ['scroll', 'pointerdown', 'keydown']) {
    document.addEventListener(type, restartIdleTimer, { passive: true });
  }
  restartIdleTimer();
  return restartIdleTimer;
}

function isInView(element: Element, { innerWidth, innerHeight }: Window): boolean {
  // Measuring collapsed content would force a layout.
  if (!element.checkVisibility()) return false;
  const box = element.getBoundingClientRect();
  return (
    box.width > 0 &&
    box.bottom > 0 &&
    box.right > 0 &&
    box.top < innerHeight &&
    box.left < innerWidth
  );
}
