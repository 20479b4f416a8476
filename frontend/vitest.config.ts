import { mergeConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import vite from './vite.config.ts';

const DOM_TESTS = 'src/**/*.dom.test.{ts,tsx}';

const project = (test: TestProjectInlineConfiguration['test']) => ({
  extends: true as const,
  test,
});

export default mergeConfig(vite, {
  test: {
    // `make test` runs them beside the browser tests.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    unstubGlobals: true,
    restoreMocks: true,
    projects: [
      // The files of a worker share modules: each of them would import all pages again.
      project({
        name: 'src',
        include: ['src/**/*.test.{ts,tsx}'],
        exclude: [DOM_TESTS],
        isolate: false,
      }),
      // Builds change NODE_ENV of their process.
      project({ name: 'scripts', include: ['{scripts,renderer}/**/*.test.ts'] }),
      project({ name: 'dom', include: [DOM_TESTS], environment: 'happy-dom' }),
    ],
  },
});
