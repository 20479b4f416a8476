/**
 * `npm run dev`: Vite's development server with the pages of `fixtures/`, without Rust. The option
 * `--gateway http://127.0.0.1:8080` uses the pages and API of a running site instead (`make dev`):
 * `npm run dev -- --gateway …`. DEV_PORT replaces port 5173.
 */
import { parseArgs } from 'node:util';
import { devServer } from './dev/server.ts';

const { values } = parseArgs({ options: { gateway: { type: 'string' } } });
const port = Number(process.env.DEV_PORT ?? 5173);
const server = await devServer({ port, gateway: values.gateway });
console.log(
  `${values.gateway ? `pages of ${values.gateway}` : 'fixtures'} at http://127.0.0.1:${port}`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => server.close().then(() => process.exit(0)));
}
