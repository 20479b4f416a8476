/**
 * Measures Lighthouse's mobile scores of pages of the site at SAHM_E2E_URL, the median of RUNS (5)
 * runs each; arguments name pages of `e2e/site.ts`. LIGHTHOUSE is its command-line program. Reports
 * are saved in `target/lighthouse/`; the exit status is 1 if a score is below its minimum.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { LOCALE_IDS, TARGETS, urlOf } from '../e2e/site.ts';
import { inFrontend } from './build/paths.ts';

const OUT = inFrontend('../target/lighthouse');
const PAGES = ['home', 'pricing', 'article', 'support'];
const MIN_SCORES = {
  performance: 95,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
} as const;
type Category = keyof typeof MIN_SCORES;
const CATEGORIES = Object.keys(MIN_SCORES) as Category[];
const FLAGS = '--headless=new --no-sandbox --disable-dev-shm-usage';

/** The parts of a report that are read here. */
interface Report {
  categories: Record<
    Category,
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
}

async function measure(program: string, url: string, file: string): Promise<Report> {
  const options = [
    `--chrome-flags=${FLAGS}`,
    '--output=json',
    '--output=html',
    `--output-path=${file}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    '--quiet',
  ];
  const run = () =>
    promisify(execFile)(process.execPath, [program, url, ...options], {
      env: { CHROME_PATH: '/usr/bin/chromium', ...process.env },
    });
  // Chromium sometimes loses the start of a trace; Lighthouse then asks for another run.
  await run().catch((error: { stderr?: string }) => {
    if (!error.stderr?.includes('NO_NAVSTART')) throw error;
    return run();
  });
  return JSON.parse(readFileSync(`${file}.report.json`, 'utf8')) as Report;
}

/** The category's score in percent. */
const scoreOf = (report: Report, category: Category) =>
  Math.round((report.categories[category].score ?? 0) * 100);

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The audits that lower a category's score in the last run. */
function faults({ categories, audits }: Report, category: Category): string[] {
  return categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title} ${audits[id]?.displayValue ?? ''}`.trim());
}

async function main() {
  const program = process.env.LIGHTHOUSE;
  if (!program) throw new Error('LIGHTHOUSE names no program (deploy/lighthouse.sh sets it)');
  const runs = Number(process.env.RUNS ?? 5);
  const asked = process.argv.slice(2);
  const names = asked.length > 0 ? asked : PAGES;
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  let short = 0;
  console.log(['page', ...CATEGORIES].join('\t'));
  for (const locale of LOCALE_IDS) {
    for (const target of TARGETS.filter(({ name }) => names.includes(name))) {
      const { name } = target;
      const url = await urlOf(locale, target);
      // The page is in the cache, as for all visitors but the first.
      await fetch(url);
      const reports: Report[] = [];
      for (let run = 1; run <= runs; run += 1) {
        reports.push(await measure(program, url, `${OUT}/${name}.${locale}.${run}`));
      }
      const scores = CATEGORIES.map((category) =>
        median(reports.map((report) => scoreOf(report, category))),
      );
      console.log([`${name} ${locale}`, ...scores].join('\t'));
      CATEGORIES.forEach((category, at) => {
        if ((scores[at] ?? 0) >= MIN_SCORES[category]) return;
        short += 1;
        const last = reports.at(-1);
        for (const fault of last ? faults(last, category) : [])
          console.log(`  ${category}: ${fault}`);
      });
    }
  }
  if (short > 0) process.exitCode = 1;
}

await main();
