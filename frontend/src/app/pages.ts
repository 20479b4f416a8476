import type { PageComponent } from '~/lib/page/define-page';

/** The pages of the site; each is registered in its own folder. */
const FILES = import.meta.glob<PageComponent>(
  ['../pages/**/*.page.{ts,tsx}', './preview/*.page.tsx'],
  {
    import: 'default',
  },
);

const LOADERS = new Map(Object.entries(FILES).map(([file, load]) => [pageIdOfFile(file), load]));

/** An id of routes.json, or `error`. */
export type PageId = string & { readonly isPageId: unique symbol };

export const PAGE_IDS = [...LOADERS.keys()] as PageId[];

export function isPageId(id: string): id is PageId {
  return LOADERS.has(id);
}

/** The page of a payload. An id from another build becomes the error page. */
export function pageIdOf(id: string): PageId {
  return (isPageId(id) ? id : 'error') as PageId;
}

const loaded = new Map<PageId, PageComponent>();

/** Loads a page's code, so that `componentOf` can return it synchronously. */
export async function loadPageComponent(id: PageId): Promise<PageComponent> {
  const load = LOADERS.get(id);
  if (!load) throw new Error(`no page ${id}`);
  const component = loaded.get(id) ?? (await load());
  loaded.set(id, component);
  return component;
}

export function componentOf(id: PageId): PageComponent {
  const component = loaded.get(id);
  if (!component) throw new Error(`page ${id} is not loaded`);
  return component;
}

function pageIdOfFile(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.page\.tsx?$/, '');
}
