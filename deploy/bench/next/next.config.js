import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// What both apps share stands beside them.
const bench = dirname(dirname(fileURLToPath(import.meta.url)));

export default {
  output: 'standalone',
  outputFileTracingRoot: bench,
  turbopack: { root: bench },
  poweredByHeader: false,
  // Nuxt's server does not compress pages either; the site is asked for bodies as they are.
  compress: false,
};
