import type { Locale } from '../src/lib/locale.ts';
import { tagsOf } from './html.ts';
import { address, LOCALE_IDS } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

const PC = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150';

let pages: Record<Locale, string>;

test.beforeAll(async () => {
  const [english = '', arabic = ''] = await Promise.all(
    LOCALE_IDS.map(async (locale) => {
      const answer = await fetch(address(locale, '/brand'), { headers: { 'user-agent': PC } });
      return answer.text();
    }),
  );
  pages = { 'en-us': english, 'ar-sa': arabic };
});

/** The HTML from a mark to the next end tag. */
function partOf(html: string, mark: string, end: string): string {
  const begun = html.slice(html.indexOf(mark));
  return begun.slice(0, begun.indexOf(end));
}

/** The links' addresses without locale prefix; `↗` precedes those that open a new tab. */
function linksOf(html: string, locale: Locale): string[] {
  return tagsOf(html)
    .filter(({ name }) => name === 'a')
    .map(({ attributes: { href = '', target } }) => {
      const bare = href.startsWith(`/${locale}`) ? href.slice(locale.length + 1) || '/' : href;
      return target === '_blank' ? `↗ ${bare}` : bare;
    });
}

const TEXTS = {
  'en-us': {
    columns: ['Product', 'Company', 'Legal', 'Contact us'],
    licensed: 'Sahm is licensed by the Capital Market Authority, licence number 22251-25.',
    copyright: (year: number) => `© ${year} Sahm. All rights reserved.`,
  },
  'ar-sa': {
    columns: ['المنتجات', 'الشركة', 'الوثائق القانونية', 'اتصل بنا'],
    licensed: 'شركة سهم، مؤسسة سوق مالية مرخّصة من هيئة السوق المالية، ترخيص رقم 22251-25.',
    copyright: (year: number) => `© ${year} شركة سهم. جميع الحقوق محفوظة.`,
  },
};

test.describe('the footer', EACH_LOCALE, () => {
  const footer = (locale: Locale) => partOf(pages[locale], 'data-chrome="footer"', '</footer>');

  for (const [name, at, links] of [
    [
      'product',
      0,
      ['/invest', '/invest/saudi-stocks', '/invest/us-stocks', '/pricing', '/download'],
    ],
    [
      'company',
      1,
      [
        '/about',
        '/about#organization-chart',
        '/about#management-team',
        '↗ https://cma.gov.sa/',
        '/support',
      ],
    ],
    [
      'legal',
      2,
      [
        '/terms-and-conditions/service-agreement',
        '/terms-and-conditions/disclaimer',
        '/terms-and-conditions/privacy-policy',
      ],
    ],
    [
      'contact us',
      3,
      [
        '↗ https://wa.me/966110000000',
        'tel:+966110000000',
        'mailto:support@sahm.example',
        '/support/detail/how-to-contact-support',
        '/support/detail/142',
      ],
    ],
  ] as const)
    test(`has the column ${name}`, ({ locale }) => {
      const columns = footer(locale).split('<h2').slice(1);
      expect(columns).toHaveLength(4);
      const column = columns[at] ?? '';
      expect(/^[^>]*>([^<]*)</.exec(column)?.[1]).toBe(TEXTS[locale].columns[at]);
      // Excludes the collapsed copy for phones.
      expect(linksOf(column.split('<details', 1)[0] ?? '', locale)).toEqual(links);
      expect(linksOf(partOf(column, '<details', '</details>'), locale)).toEqual(links);
    });

  test('has five social icons, each with a name', ({ locale }) => {
    const icons = partOf(footer(locale), '<ul', '</ul>').split('<li').slice(1);
    expect(icons).toHaveLength(5);
    for (const icon of icons) {
      expect(linksOf(icon, locale)[0]).toMatch(/^↗ https:\/\/www\.|^↗ https:\/\/x\.com/);
      expect(icon).toMatch(/<span class="visually-hidden">[^<]+/);
      expect(icon).toContain('<svg');
    }
  });

  test('has the address with a map, the licensed company and the year', ({ locale }) => {
    expect(linksOf(partOf(footer(locale), '<address', '</address>'), locale)[0]).toMatch(
      /^↗ https:\/\/www\.google\.com\/maps\//,
    );
    const words = footer(locale).replace(/<[^>]*>/g, '');
    expect(words).toContain(TEXTS[locale].licensed);
    const riyadh = new Date().toLocaleDateString('en', {
      timeZone: 'Asia/Riyadh',
      year: 'numeric',
    });
    expect(words).toContain(TEXTS[locale].copyright(Number(riyadh)));
  });
});

test.describe('the navigation', EACH_LOCALE, () => {
  for (const [name, mark, end] of [
    ['header', 'data-chrome="header"', '</nav>'],
    ['slide-out menu', '<dialog', '</nav>'],
  ] as const)
    test(`of the ${name} has its entries in order`, ({ locale }) => {
      const nav = partOf(
        partOf(pages[locale], mark, end).replace(/^[\s\S]*?<nav/, '<nav'),
        '<nav',
        end,
      );
      const links = linksOf(`${nav}</nav>`, locale);
      const entries = [
        '/invest',
        '/pricing',
        '/education',
        '/news',
        '/support',
        '/activity/seed?theme=0',
        '/about',
        '/download',
      ];
      const at = entries.map((entry) => links.indexOf(entry));
      expect(at.every((place) => place >= 0)).toBe(true);
      expect(at).toEqual([...at].sort((a, b) => a - b));
      expect(links.at(-1)).toMatch(/^↗ https:\/\/trade/);
      const [, saudi = '', us = ''] = links.slice(links.indexOf('/news'));
      expect([saudi, us]).toEqual(['/news/saudi', '/news/us']);
      expect(links.slice(links.indexOf('/about'), links.indexOf('/download'))).toEqual([
        '/about',
        '/about#contact-us',
        '↗ /company-news/list',
      ]);
    });
});

test.describe('without scripts', EACH_LOCALE, () => {
  test.use({ javaScriptEnabled: false });

  test('a menu opens and has real links', async ({ page, locale }) => {
    await page.goto(address(locale, '/'));
    const menu = page.locator('[data-chrome="header"] nav details').first();
    await menu.locator('summary').click();
    const link = menu.locator('a').first();
    expect(await link.isVisible()).toBe(true);
    expect(await link.getAttribute('href')).toMatch(new RegExp(`^/${locale}/`));
  });
});
