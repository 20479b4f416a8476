import type { PageModule } from '../../src/lib/page/define-page.ts';

/** All pages by the file that registers them; Vite runs this for the build. */
export const PAGE_MODULES = import.meta.glob<PageModule>(
  ['/src/pages/**/*.page.{ts,tsx}', '/src/app/preview/*.page.ts'],
  { eager: true, import: 'default' },
);
