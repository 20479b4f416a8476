/**
 * Takes screenshots of every page × locale × theme × two widths of the site at SAHM_E2E_URL into
 * `target/screenshots/`, and the two of the README into `deploy/readme/`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import {
  DEVICE_NAMES,
  DEVICES,
  type Device,
  hydrated,
  LAUNCH_OPTIONS,
  open,
  SCHEMES,
  type Scheme,
} from '../e2e/browser.ts';
import { address, LOCALE_IDS, TARGETS, urlOf } from '../e2e/site.ts';
import type { Locale } from '../src/lib/locale.ts';
import { inFrontend } from './build/paths.ts';

const OUT = inFrontend('../target/screenshots');
const README = inFrontend('../deploy/readme');

interface Shot {
  locale: Locale;
  device: Device;
  scheme: Scheme;
  url: string;
  file: string;
  fullPage: boolean;
}

async function take(browser: Browser, shot: Shot) {
  const { locale, device, scheme, url, file, fullPage } = shot;
  const context = await browser.newContext({
    ...DEVICES[device],
    locale,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // The first visit caches the fonts; the second shows them from its first paint.
  await open(page, url);
  await page.reload();
  await hydrated(page);
  if (fullPage) await showAll();
  await page.screenshot({ path: file, fullPage });
  await context.close();

  /** Scrolls through, so that pictures below the fold are loaded. */
  async function showAll() {
    await page.evaluate(async () => {
      for (let top = 0; top < document.body.scrollHeight; top += window.innerHeight) {
        window.scrollTo(0, top);
        await new Promise(requestAnimationFrame);
      }
      window.scrollTo(0, 0);
    });
    await page.waitForLoadState('networkidle');
  }
}

function shotsOf(locale: Locale, name: string, url: string): Shot[] {
  return DEVICE_NAMES.flatMap((device) =>
    SCHEMES.map((scheme) => ({
      locale,
      device,
      scheme,
      url,
      file: `${OUT}/${name}.${locale}.${device}.${scheme}.png`,
      fullPage: true,
    })),
  );
}

function readmeShot(locale: Locale, file: string): Shot {
  const view = { device: 'pc', scheme: 'light', fullPage: false } as const;
  return { ...view, locale, url: address(locale, '/'), file: `${README}/${file}` };
}

async function main() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  mkdirSync(README, { recursive: true });
  const shots = [readmeShot('en-us', 'site-en.png'), readmeShot('ar-sa', 'site-ar.png')];
  for (const locale of LOCALE_IDS) {
    for (const target of TARGETS)
      shots.push(...shotsOf(locale, target.name, await urlOf(locale, target)));
  }
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  for (const shot of shots) await take(browser, shot);
  await browser.close();
  console.log(`${shots.length} pictures in ${OUT} and ${README}`);
}

await main();
