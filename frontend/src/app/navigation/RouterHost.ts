import type { ComponentType } from 'react';
import type { PagePayload } from '~/lib/page/payload';
import { isHere, isPlainClick, linkOf, mayBeClientLink } from './links';

/** The page on screen. */
export interface ShownPage {
  payload: PagePayload;
  /** Its code could not be loaded; the error page is shown instead. */
  hasFailed?: boolean;
  /** Called when the page is in the document. */
  onShown?: () => void;
}

export interface RouterProps {
  shown: PagePayload;
  show(page: ShownPage): void;
  host: RouterHost;
}

/** Follows a link by client navigation or document load. */
export type Follow = (link: HTMLAnchorElement) => void;

/** Loads the router when a navigation is likely: the first load does not need its 31 KB. */
export class RouterHost {
  private readonly mounted = Promise.withResolvers<Follow>();
  private readonly loaded = Promise.withResolvers<ComponentType<RouterProps>>();
  private request: Promise<void> | undefined;
  private readonly importRouter: () => Promise<{ Router: ComponentType<RouterProps> }>;

  constructor(importRouter: () => Promise<{ Router: ComponentType<RouterProps> }>) {
    this.importRouter = importRouter;
  }

  /** Calls back with the router's component when it is loaded. */
  onLoad(mount: (router: ComponentType<RouterProps>) => void): void {
    this.loaded.promise.then(mount);
  }

  /** Lets the mounted router handle links. */
  setFollow(follow: Follow): void {
    this.mounted.resolve(follow);
  }

  /** Loads the router once. */
  async load(): Promise<Follow> {
    this.request ??= this.importRouter().then(({ Router }) => this.loaded.resolve(Router));
    try {
      await this.request;
    } catch (error) {
      // The next link retries.
      this.request = undefined;
      throw error;
    }
    return this.mounted.promise;
  }

  /**
   * Handles clicks on all links of the document, also in article texts, with one listener, so that
   * a link is a plain `<a>`.
   */
  interceptLinks(payload: PagePayload): void {
    const { locale } = payload.visitor;
    document.addEventListener('click', (event) => {
      const link = linkOf(event);
      if (!link || !isPlainClick(event)) return;
      if (!mayBeClientLink(link, window.location.origin, locale)) return;
      if (link.hash && isHere(link)) return;
      event.preventDefault();
      this.load().then(
        (follow) => follow(link),
        () => window.location.assign(link.href),
      );
    });
    this.reloadOnEarlyPop();
  }

  /** Reloads if a history entry of this document is popped before the router is loaded. */
  private reloadOnEarlyPop(): void {
    const { pathname } = window.location;
    const onPop = () => {
      if (window.location.pathname !== pathname) window.location.reload();
    };
    window.addEventListener('popstate', onPop);
    this.loaded.promise.then(() => window.removeEventListener('popstate', onPop));
  }
}
