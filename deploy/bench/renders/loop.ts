/**
 * Renders one page repeatedly: `loop.js PAYLOAD`, where PAYLOAD is a file with a payload of the renderer.
 * Prints `{"htmlBytes"}` once. Then it renders for the milliseconds of each line of stdin and prints
 * `{"renders", "milliseconds"}`.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { loadAllPages, renderPage } from '../../../frontend/src/app/server.tsx';

const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);

await loadAllPages();
const payload = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
say({ htmlBytes: Buffer.byteLength(await renderPage(payload)) });

for await (const line of createInterface({ input: process.stdin })) {
  const began = performance.now();
  const until = began + Number(line);
  let renders = 0;
  let now = began;
  while (now < until) {
    await renderPage(payload);
    renders += 1;
    now = performance.now();
  }
  say({ renders, milliseconds: now - began });
}
