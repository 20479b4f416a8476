/**
 * Renders one page again and again: `loop.js PAYLOAD`, a file with what the renderer would be sent.
 * Says `{"htmlBytes"}` once; then for each line of milliseconds on stdin renders for as long and
 * says `{"renders", "milliseconds"}`.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
// The frontend's own: this folder has no packages.
import { renderToString } from '../../../frontend/node_modules/react-dom/server.node.js';
import { loadAllPages } from '../../../frontend/src/app/server';
import { pageTree } from '../../../frontend/src/app/page-tree';

const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);

await loadAllPages();
const tree = await pageTree(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
say({ htmlBytes: Buffer.byteLength(renderToString(tree)) });

for await (const line of createInterface({ input: process.stdin })) {
  const began = performance.now();
  const until = began + Number(line);
  let renders = 0;
  let now = began;
  while (now < until) {
    renderToString(tree);
    renders += 1;
    now = performance.now();
  }
  say({ renders, milliseconds: now - began });
}
