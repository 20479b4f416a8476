import type { PageComponent } from '../../src/lib/page/define-page.ts';

/** All pages by the file that registers them; Vite runs this for the build. */
export const PAGE_MODULES = import.meta.glob<PageComponent>(
  ['/src/pages/**/*.page.{ts,tsx}', '/src/app/preview/*.page.tsx'],
  { eager: true, import: 'default' },
);
