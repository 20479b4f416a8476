import type { AddressInfo } from 'node:net';
import { loadAllPages, renderPage } from '../src/app/server';
import { LOCALE_IDS, type Locale } from '../src/lib/locale';
import { log, logAsText } from './log';
import { PristineConnections } from './pristine-connections';
import { rendererServer, type State } from './server';
import { readSettings, type Settings, SettingsError } from './settings';
import { Tracing } from './tracing';

/**
 * Delay between SIGTERM and closing the listener, so that load balancers stop sending requests
 * first.
 */
const DEREGISTRATION_DELAY_MS = 3_000;
/** Time that in-flight requests have to finish after the listener is closed. */
const DRAIN_TIMEOUT_MS = 8_000;
/** Time that new connections have to send their first request after the listener is closed. */
const FIRST_REQUEST_TIMEOUT_MS = 500;
const WARM_UP_ROUNDS = 3;
const WRONG_SETTING = 2;

async function main({ host, port, inDev, watchStdin }: Settings) {
  if (inDev) logAsText();
  const state: State = { ready: false, draining: false };
  const tracing = Tracing.of(process.env);
  const server = rendererServer(state, tracing);
  const pristine = new PristineConnections(server);
  server.on('error', (error) => {
    log('error', 'renderer cannot listen', { address: `${host}:${port}`, error: error.message });
    process.exit(1);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));

  const end = async () => {
    await tracing?.flush();
    process.exit(0);
  };
  const stop = () => {
    if (!server.listening) return;
    state.ready = false;
    state.draining = true;
    server.close(() => end());
    server.closeIdleConnections();
    setTimeout(() => pristine.close(), FIRST_REQUEST_TIMEOUT_MS);
    setTimeout(() => process.exit(1), DRAIN_TIMEOUT_MS).unref();
  };
  const drain = () => {
    if (inDev) return stop();
    state.ready = false;
    state.draining = true;
    setTimeout(stop, DEREGISTRATION_DELAY_MS);
  };
  process.once('SIGTERM', drain);
  process.once('SIGINT', stop);
  if (watchStdin) stopWithStdin(stop);

  await warmUp();
  state.ready = true;
  const address = server.address() as AddressInfo;
  const bound = `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  log('info', 'renderer ready', { address: bound });
  process.stdout.write(`${JSON.stringify({ ready: bound })}\n`);
}

/**
 * Renders every page once with minimal page data, so that the code is compiled before the first
 * request.
 */
async function warmUp() {
  const pages = await loadAllPages();
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const page of pages) {
      for (const locale of LOCALE_IDS) await warm(page, locale);
    }
  }
}

async function warm(page: string, locale: Locale) {
  try {
    await renderPage({
      build: '',
      page,
      visitor: { locale, platform: 'pc', theme: 'auto' },
      url: `/${locale}`,
      document: { frame: { page, layout: 'default', locale } },
    });
  } catch (error) {
    log('warn', 'page cannot be rendered from an empty document', {
      page,
      locale,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Stops when stdin closes: the parent process has ended, even if it was killed. */
function stopWithStdin(stop: () => void) {
  process.stdin.on('end', stop);
  process.stdin.on('error', stop);
  process.stdin.resume();
}

/**
 * Reads the settings. On an error it prints one line, as the other processes do, and exits with
 * their status.
 */
function settings(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(WRONG_SETTING);
  }
}

main(settings()).catch((error: unknown) => {
  log('error', 'renderer failed', { error: error instanceof Error ? error.stack : String(error) });
  process.exit(1);
});
