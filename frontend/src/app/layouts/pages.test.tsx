import { beforeAll, describe, expect, it } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import { fixtureNames, readFixture } from '../../../scripts/fixtures/store';

beforeAll(async () => {
  await loadAllPages();
});

describe.each(fixtureNames())('%s', (name) => {
  const payload = readFixture(name);
  const { locale } = payload.visitor;
  let html: string;

  beforeAll(async () => {
    html = await renderPage(payload);
  });

  it('is a whole page', () => {
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html.match(/<main/g)).toHaveLength(1);
    expect(html).toContain('id="main"');
    expect(html).not.toContain('undefined');
    // The content security policy forbids inline styles and scripts.
    expect(html).not.toMatch(/ style="|<script/);
  });

  it('links to its own language, except by the language switch', () => {
    const other = locale === 'en-us' ? 'ar-sa' : 'en-us';
    for (const [link, href] of html.matchAll(/<a\b[^>]*href="(\/[^"]*)"[^>]*>/g)) {
      // Links to files are not pages.
      if (/ download[=" >]/.test(link)) continue;
      const switches = link.includes('hrefLang') || link.includes('hreflang');
      expect(href).toMatch(switches ? `/${other}` : `/${locale}`);
    }
  });

  it('does not move its headings by more than one level down', () => {
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    const levels = [...main.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    levels.forEach((level, i) => {
      expect(level - (levels[i - 1] ?? 0)).toBeLessThanOrEqual(1);
    });
  });

  it('shows no layout parts in the app', async () => {
    const inApp = await renderPage({
      ...payload,
      visitor: { ...payload.visitor, platform: 'app' },
    });
    const parts = [...inApp.matchAll(/data-chrome="([^"]*)"/g)].map(([, part]) => part);
    expect(parts).toEqual(payload.document.frame?.layout === 'app' ? ['app-footer'] : []);
  });
});
