/**
 * `npm run dev`: Vite's development server over `fixtures/`, without Rust. `npm run dev -- --gateway
 * http://127.0.0.1:8080` takes pages and calls from a running site instead (`make dev`). DEV_PORT
 * names another port than 5173.
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
