import type { PageComponent, PageModule } from '~/lib/page/define-page';

/** The pages of the site, each registered in its own folder. */
const FILES = import.meta.glob<PageModule>(['../pages/**/*.page.{ts,tsx}', './preview/*.page.ts'], {
  import: 'default',
});

const LOADERS = new Map(Object.entries(FILES).map(([file, load]) => [pageIdOfFile(file), load]));

/** An id of routes.json, or `error`. */
export type PageId = string & { readonly isPageId: unique symbol };

export const PAGE_IDS = [...LOADERS.keys()] as PageId[];

export function isPageId(id: string): id is PageId {
  return LOADERS.has(id);
}

/** The page id a payload names; an id of another build counts as an error page. */
export function pageIdOf(id: string): PageId {
  return (isPageId(id) ? id : 'error') as PageId;
}

const modules = new Map<PageId, PageModule>();

/** Loads a page's code; then `componentOf` has it at once. */
export async function loadPageModule(id: PageId): Promise<PageModule> {
  const known = modules.get(id);
  if (known) return known;
  const load = LOADERS.get(id);
  if (!load) throw new Error(`no page ${id}`);
  const module = await load();
  modules.set(id, module);
  return module;
}

export function componentOf(id: PageId): PageComponent {
  const module = modules.get(id);
  if (!module) throw new Error(`page ${id} is not loaded`);
  return module.Component;
}

function pageIdOfFile(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.page\.tsx?$/, '');
}
