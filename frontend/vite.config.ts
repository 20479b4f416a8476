import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { messagesPlugin } from './scripts/messages/plugin.ts';

/** Tells equal class names of two sheets apart. */
const hashOf = (file: string) => createHash('sha1').update(file).digest('base64url').slice(0, 4);

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the client's, the renderer's and the tests' builds share; scripts/build adds the rest. */
export default defineConfig({
  root: here('.'),
  plugins: [messagesPlugin(here('messages'))],
  css: {
    modules: {
      // The development server requests sheets with a query.
      generateScopedName: (name, file) =>
        `${name}_${hashOf(relative(here('.'), file.replace(/\?.*/, '')))}`,
    },
  },
  resolve: { alias: { '~': here('src') } },
  build: {
    // The browsers of 2024 and later: light-dark(), nesting and logical properties stay as written.
    target: ['chrome123', 'safari17.5', 'firefox128'],
    cssMinify: 'lightningcss',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A chunk's own imports name the scripts it needs: listed again here, every page would carry
      // the file names of all.
      resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
    },
    reportCompressedSize: false,
  },
});
