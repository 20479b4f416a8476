import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inFrontend } from './paths.ts';

/**
 * The locations that frontend/README.md lists for a new page, except the loader: the gateway's
 * build checks `gateway/src/pages`.
 */
const PLACES = ['routes.json', 'proto/sahm/page/v1', 'src/pages', 'messages'];
const ROUTE = {
  id: 'sample',
  path: '/sample/{id?}',
  layout: 'default',
  query: {},
  cacheable: true,
};
const MESSAGE = `syntax = "proto3";

package sahm.page.v1;

import "sahm/page/v1/page.proto";

message SamplePage {
  Frame frame = 1;
  string words = 2;
}
`;
const PAGE = `import type { SamplePageJson } from '~/gen/sahm/page/v1/sample_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { definePage } from '~/lib/page/define-page';
import { useMessages } from '~/lib/messages/messages';

function SamplePage({ document: { words = '' } }: { document: SamplePageJson }) {
  const t = useMessages('sample');
  return <SiteLink to={pathTo('sample', { id: '1' })}>{t('title', { words })}</SiteLink>;
}

export default definePage({ Component: SamplePage, messages: ['sample'] });
`;
const HEAD = { 'sample.title': 'Sample', 'sample.description': 'A sample' };

// A build is slow while others run.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let root: string;
/** Files that make up the page. */
const written: string[] = [];
const inCopy = (path: string) => join(root, 'frontend', path);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sahm-page-'));
  const repository = inFrontend('..');
  const sources = [
    'proto',
    'buf.yaml',
    'buf.gen.yaml',
    'gateway/src/api/openapi',
    'services/chassis/src/settings',
  ];
  for (const name of sources) {
    cpSync(join(repository, name), join(root, name), { recursive: true });
  }
  const others = ['node_modules', 'dist', 'fixtures'];
  for (const name of readdirSync(inFrontend('.')).filter((entry) => !others.includes(entry))) {
    cpSync(inFrontend(name), inCopy(name), { recursive: true });
  }
  symlinkSync(inFrontend('node_modules'), inCopy('node_modules'));
  write('src/pages/sample/sample.page.tsx', PAGE);
  edit<{ routes: unknown[] }>('routes.json', (table) => table.routes.push(ROUTE));
  for (const locale of ['en-us', 'ar-sa']) {
    write(`messages/${locale}/sample.json`, JSON.stringify({ title: 'Read {words}' }));
    edit<object>(`messages/${locale}/head.json`, (head) => Object.assign(head, HEAD));
  }
  write('../proto/sahm/page/v1/sample.proto', MESSAGE);
  execFileSync(process.execPath, ['scripts/gen.ts'], { cwd: inCopy('.'), stdio: 'inherit' });
});

afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string) {
  written.push(path.replace(/^\.\.\//, ''));
  mkdirSync(dirname(inCopy(path)), { recursive: true });
  writeFileSync(inCopy(path), text);
}

function edit<T>(path: string, change: (value: T) => unknown) {
  const value = JSON.parse(readFileSync(inCopy(path), 'utf8')) as T;
  change(value);
  write(path, JSON.stringify(value));
}

function build(...options: string[]) {
  return spawnSync(process.execPath, ['scripts/build.ts', ...options], {
    cwd: inCopy('.'),
    encoding: 'utf8',
  });
}

/** Builds after `change`, and restores the files that it changes or removes. */
function buildAfter(files: string[], change: () => void) {
  const texts = files.map((path) => readFileSync(inCopy(path)));
  change();
  const { status, stderr } = build('--unchecked');
  files.forEach((path, index) => {
    writeFileSync(inCopy(path), texts[index] ?? '');
  });
  return { status, stderr };
}

test('a page that is complete builds, with its types checked, from files in four places', () => {
  const isIn = (place: string) => (file: string) => file.startsWith(place);
  expect(PLACES.filter((place) => !written.some(isIn(place)))).toEqual([]);
  expect(written.filter((file) => !PLACES.some((place) => isIn(place)(file)))).toEqual([]);
  const { status, stdout, stderr } = build();
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("'sample'");
});

test('a page of the route table is among the pages that browser tests open', () => {
  const script = "import { TARGETS } from './e2e/site.ts'; console.log(JSON.stringify(TARGETS))";
  const options = { cwd: inCopy('.'), encoding: 'utf8' } as const;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = spawnSync(process.execPath, args, options);
  const targets = JSON.parse(stdout) as { page: string }[];
  expect(targets).toContainEqual({ name: 'sample', page: 'sample', path: '/sample' });
  const { routes } = JSON.parse(readFileSync(inCopy('routes.json'), 'utf8')) as {
    routes: { id: string }[];
  };
  const untested = routes.filter(({ id }) => !targets.some(({ page }) => page === id));
  expect(untested.map(({ id }) => id)).toEqual(['activity-seed']);
});

test('without route, page, title or texts of one language the build fails and names each', () => {
  const page = 'src/pages/brand/brand.page.tsx';
  const [head, texts] = ['messages/ar-sa/head.json', 'messages/ar-sa/sample.json'];
  const { status, stderr } = buildAfter(['routes.json', page, head, texts], () => {
    edit<{ routes: unknown[] }>('routes.json', (table) => table.routes.pop());
    rmSync(inCopy(page));
    edit<Record<string, string>>(head, (titles) => delete titles['sample.title']);
    rmSync(inCopy(texts));
  });
  expect(stderr).toContain('sample.page: routes.json has no sample');
  expect(stderr).toContain('routes.json: brand has no brand.page.tsx below src/pages');
  expect(stderr).toContain('messages/ar-sa/head.json lacks title or description of sample');
  expect(stderr).toContain('ar-sa/sample');
  expect(status).toBe(1);
});

test('without the message the type check fails and names it', () => {
  rmSync(inCopy('src/gen/sahm/page/v1/sample_pb.d.ts'));
  const { status, stdout } = spawnSync(inCopy('node_modules/.bin/tsc'), ['--noEmit'], {
    cwd: inCopy('.'),
    encoding: 'utf8',
  });
  expect(stdout).toContain("Cannot find module '~/gen/sahm/page/v1/sample_pb'");
  expect(status).not.toBe(0);
});
