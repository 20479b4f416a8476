import { defineConfig, type PlaywrightTestOptions } from '@playwright/test';
import { DEVICE_NAMES, DEVICES, LAUNCH_OPTIONS, SCHEMES } from './e2e/browser.ts';
import { LOCALE_IDS } from './e2e/site.ts';
import { EACH_DEVICE, EACH_LOCALE, EACH_SCHEME, type SiteOptions } from './e2e/test.ts';

const PROJECTS = LOCALE_IDS.flatMap((locale) =>
  DEVICE_NAMES.flatMap((device) =>
    SCHEMES.map((colorScheme) => {
      const tags = [
        locale === 'en-us' ? [] : EACH_LOCALE.tag,
        device === 'pc' ? [] : EACH_DEVICE.tag,
        colorScheme === 'light' ? [] : EACH_SCHEME.tag,
      ].flat();
      return {
        name: `${locale} ${device} ${colorScheme}`,
        // The first project runs every test, the others those that are tagged for what they vary.
        grep: new RegExp(tags.map((tag) => `(?=.*${tag}\\b)`).join('')),
        use: { ...DEVICES[device], locale, colorScheme },
      };
    }),
  ),
);

/** Browser tests against a running site: SAHM_E2E_URL names it. */
export default defineConfig<PlaywrightTestOptions & SiteOptions>({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: '../target/e2e',
  timeout: 60_000,
  // One browser waits half of the time.
  workers: 2,
  // A test that fails is repeated with a trace. `deploy/test-summary.awk` limits how many may pass only then.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  // `make test` lists the slowest tests itself.
  reportSlowTests: null,
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 15_000,
    launchOptions: LAUNCH_OPTIONS,
    // Tracing every first attempt takes 20 to 45 % longer.
    trace: 'on-first-retry',
  },
  projects: PROJECTS,
});
