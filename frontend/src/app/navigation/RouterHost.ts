import type { ComponentType } from 'react';
import type { PagePayload } from '~/lib/page/payload';
import { isHere, isPlainClick, linkOf, mayBeClientLink } from './links';

/** A page that is shown. */
export interface ShownPage {
  payload: PagePayload;
  /** Its code could not be loaded: the error page stands in its place. */
  hasFailed?: boolean;
  /** Called once the page is in the document. */
  onShown?: () => void;
}

export interface RouterProps {
  shown: PagePayload;
  show(page: ShownPage): void;
  host: RouterHost;
}

/** Follows a link, within the document or by loading another. */
export type Follow = (link: HTMLAnchorElement) => void;

/** Loads the router when the visitor is about to navigate: a first load does not need its 31 KB. */
export class RouterHost {
  private readonly mounted = Promise.withResolvers<Follow>();
  private readonly loaded = Promise.withResolvers<ComponentType<RouterProps>>();
  private request: Promise<void> | undefined;
  private readonly importRouter: () => Promise<{ Router: ComponentType<RouterProps> }>;

  constructor(importRouter: () => Promise<{ Router: ComponentType<RouterProps> }>) {
    this.importRouter = importRouter;
  }

  /** Calls back with the router's component once it is loaded. */
  onLoad(mount: (router: ComponentType<RouterProps>) => void): void {
    this.loaded.promise.then(mount);
  }

  /** The mounted router says how it follows links. */
  setFollow(follow: Follow): void {
    this.mounted.resolve(follow);
  }

  /** Loads the router, unless that is done or under way. */
  async load(): Promise<Follow> {
    this.request ??= this.importRouter().then(({ Router }) => this.loaded.resolve(Router));
    try {
      await this.request;
    } catch (error) {
      // The next link tries again.
      this.request = undefined;
      throw error;
    }
    return this.mounted.promise;
  }

  /**
   * Takes the document's links over, also those in article texts: one listener, so that a link is a
   * plain `<a>`.
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

  /** An entry of this document's history that is popped before the router is there. */
  private reloadOnEarlyPop(): void {
    const { pathname } = window.location;
    const onPop = () => {
      if (window.location.pathname !== pathname) window.location.reload();
    };
    window.addEventListener('popstate', onPop);
    this.loaded.promise.then(() => window.removeEventListener('popstate', onPop));
  }
}
