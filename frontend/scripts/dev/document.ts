import { LOCALES } from '../../src/lib/locale.ts';
import type { PagePayload } from '../../src/lib/page/payload.ts';

/** A style sheet that Vite's client adopts, so that the page has its styles before the client runs. */
export interface Sheet {
  /** Path of the file; the client uses it to find the element when the sheet changes. */
  id: string;
  css: string;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);

/** The document of a page whose scripts and styles come from the development server. */
export function documentOf(payload: PagePayload, html: string, sheets: readonly Sheet[]): string {
  const { locale, platform, theme } = payload.visitor;
  const { tag, dir } = LOCALES[locale];
  const { head, layout = '' } = payload.document.frame ?? {};
  const styles = sheets.map(({ id, css }) => `<style data-vite-dev-id="${id}">${css}</style>`);
  // Without preloading, text keeps its fallback font: fonts that arrive after the first paint are
  // not used.
  const fonts = sheets.flatMap(({ css }) =>
    [...css.matchAll(/url\("([^"]+\.woff2)"\)/g)].map(
      ([, href]) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
    ),
  );
  return `<!doctype html>
<html lang="${tag}" dir="${dir}" data-platform="${platform}" data-theme="${theme}" data-page="${payload.page}" data-layout="${layout}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escaped(head?.title ?? payload.page)}</title>
<meta name="description" content="${escaped(head?.description ?? '')}">
${[...fonts, ...styles].join('\n')}
<script type="module" src="/src/app/boot.ts"></script>
<script type="module" src="/src/app/client.tsx"></script>
</head>
<body>
<div id="root">${html}</div>
<script type="application/json" id="sahm-page">${JSON.stringify(payload).replaceAll('<', '\\u003c')}</script>
</body>
</html>
`;
}

const DATA = /<script type="application\/json" id="sahm-page">(.*?)<\/script>/s;

/** The page data in a document of the gateway; undefined if the document is not a page. */
export function payloadIn(html: string): PagePayload | undefined {
  const data = DATA.exec(html)?.[1];
  return data === undefined ? undefined : (JSON.parse(data) as PagePayload);
}
