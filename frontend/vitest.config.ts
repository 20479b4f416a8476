import { mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

export default mergeConfig(vite, {
  test: {
    include: ['{src,scripts,renderer}/**/*.test.{ts,tsx}'],
    // `make test` runs them beside the browser tests.
    testTimeout: 30_000,
  },
});
