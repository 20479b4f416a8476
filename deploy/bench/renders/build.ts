/** Bundles the loop as the renderer is bundled: `node build.ts DIRECTORY`. */
import { fileURLToPath } from 'node:url';
import { buildServer } from '../../../frontend/scripts/build/bundle.ts';

const loop = fileURLToPath(new URL('loop.ts', import.meta.url));
await buildServer('bench', process.argv[2], { loop });
