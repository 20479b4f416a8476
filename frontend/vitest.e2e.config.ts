import { defineConfig } from 'vitest/config';

/** Browser tests against a running site: SAHM_E2E_URL names it. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: 'e2e/reachable.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One browser waits half of the time.
    maxWorkers: 2,
  },
});
