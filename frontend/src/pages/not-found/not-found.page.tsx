import type { NotFoundPageJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { usePage } from '~/lib/page/page';
import { statusOf, useConnected } from '~/lib/status';
import { buttonClass } from '~/ui/button';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import { TriangleField } from '~/ui/TriangleField';
import styles from './NotFoundPage.module.css';

// 404 in triangles.
const DIGITS = [
  '...................',
  '.#..#..####..#..#..',
  '.#..#..#..#..#..#..',
  '.####..#..#..####..',
  '....#..#..#.....#..',
  '....#..####.....#..',
  '...................',
];
// In the app: an empty frame instead of the digits.
const GAP = ['.....', '.###.', '.# #.', '.###.', '.....'];

const LINKS = [
  { to: pathTo('pricing'), text: 'links.pricing' },
  { to: pathTo('invest-saudi-stocks'), text: 'links.saudi-stocks' },
  { to: pathTo('news'), text: 'links.news' },
] as const;

/** The message about a missing item, and the page that lists similar ones. */
interface Missing {
  text: 'article' | 'course' | 'item';
  list: keyof typeof LISTS;
}

const LISTS = {
  news: pathTo('news'),
  education: pathTo('education'),
  'company-news': pathTo('company-news-list'),
  support: pathTo('support'),
};

const MISSING: Readonly<Record<string, Missing | undefined>> = {
  article: { text: 'article', list: 'news' },
  notice: { text: 'article', list: 'news' },
  course: { text: 'course', list: 'education' },
  category: { text: 'item', list: 'education' },
  document: { text: 'item', list: 'support' },
  channel: { text: 'item', list: 'support' },
};

/** Lessons and company articles have their own lists. */
function missingOf(kind = '', path = ''): Missing | undefined {
  if (kind !== 'article') return MISSING[kind];
  if (/^\/(education|feature\/college)\b/.test(path)) return { text: 'article', list: 'education' };
  return path.startsWith('/company-news')
    ? { text: 'article', list: 'company-news' }
    : MISSING.article;
}

/** `/notFound`, unknown addresses and deleted items (status 404). */
function NotFoundPage({ document }: { document: NotFoundPageJson }) {
  const { platform } = usePage();
  const t = useMessages('not-found');
  const missing = missingOf(document.missing, document.frame?.path);
  const inApp = platform === 'app';
  const status = statusOf(useConnected(), 404);
  return (
    <Section as="div" className={styles.page} data-app={inApp || undefined} data-status={status}>
      <TriangleField rows={inApp ? GAP : DIGITS} className={styles.art} />
      <div className={styles.text}>
        <h1 className={styles.title}>{t(missing ? `title.${missing.text}` : 'title')}</h1>
        <p className={styles.hint}>{t(missing ? 'text.item' : 'text')}</p>
        <p className={`${rows.actions} ${styles.ways}`}>
          <SiteLink
            to={missing ? LISTS[missing.list] : pathTo('home')}
            className={buttonClass('primary')}
          >
            {t(missing ? missing.list : 'home')}
          </SiteLink>
          {!inApp && (
            <TextLink to={missing ? pathTo('home') : pathTo('support')}>
              {t(missing ? 'home' : 'support')}
            </TextLink>
          )}
        </p>
        {!inApp && (
          <p className={rows.actions}>
            <span className={styles.lead}>{t('links')}</span>
            {LINKS.map(({ to, text }) => (
              <SiteLink key={text} to={to} className={links.text}>
                {t(text)}
              </SiteLink>
            ))}
          </p>
        )}
      </div>
    </Section>
  );
}

export default definePage({ Component: NotFoundPage, messages: ['not-found'] });
