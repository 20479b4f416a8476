import type { LaunchOptions, Page } from '@playwright/test';

export const DEVICES = {
  pc: { viewport: { width: 1440, height: 900 } },
  phone: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  },
} as const;

export type Device = keyof typeof DEVICES;
export type Scheme = 'light' | 'dark';

export const DEVICE_NAMES = Object.keys(DEVICES) as Device[];
export const SCHEMES: Scheme[] = ['light', 'dark'];

/**
 * Debian's headless Chromium, or the binary that E2E_CHROMIUM names. Headed Chromium also draws an
 * address bar for each page and takes five times as long to open an empty page.
 */
export const LAUNCH_OPTIONS: LaunchOptions = {
  executablePath: process.env.E2E_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--font-render-hinting=none',
    // Tests run scripts too briefly to profit from V8's optimising compilers.
    '--js-flags=--no-opt,--no-maglev',
  ],
};

/** Console messages, uncaught errors and failed requests of a page, added as they occur. */
export function pageErrorsOf(page: Page, documentStatus = 200): string[] {
  const pageErrors: string[] = [];
  page.on('console', (message) => {
    // Chromium reports the document's own 404 as a console error.
    const { url } = message.location();
    const isOwnStatus =
      documentStatus !== 200 &&
      message.text().startsWith('Failed to load resource') &&
      url === page.url();
    if (!isOwnStatus) pageErrors.push(`console ${message.type()}: ${message.text()} ${url}`);
  });
  page.on('pageerror', (error) => pageErrors.push(`page error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Navigations and newer prefetches abort pending requests.
    if (reason !== 'net::ERR_ABORTED') pageErrors.push(`failed: ${request.url()} ${reason}`);
  });
  return pageErrors;
}

/** Waits until React has hydrated the page and the fonts are loaded. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** Opens an address and waits until the page is hydrated. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await hydrated(page);
}

/** Waits until a client navigation shows the page with this id. */
export async function waitForPageId(page: Page, id: string): Promise<void> {
  await page.waitForFunction((name) => document.documentElement.dataset.page === name, id);
}

/** Pixels by which the page is wider than its window. */
export function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** Layout shifts since the document's start, with score and moved elements. */
export function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const shifts: string[] = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as LayoutShift[]) {
            const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
              const [before, after] = [previousRect, currentRect].map(
                ({ x, y, width, height }) => `${x},${y} ${width}×${height}`,
              );
              return `${node?.nodeName} '${node?.textContent?.slice(0, 40)}' ${before} → ${after}`;
            });
            shifts.push(`${entry.value} at ${Math.round(entry.startTime)} ms: ${moved.join('; ')}`);
          }
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are delivered within two frames.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)));
      }),
  );
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}
