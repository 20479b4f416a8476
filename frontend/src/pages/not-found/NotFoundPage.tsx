import type { NotFoundPageJson } from '~/gen/sahm/page/v1/page_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import section from '~/ui/section.module.css';
import { TriangleField } from '~/ui/TriangleField';
import { textLinkClass } from '~/ui/text-link';
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
// In the app: the place where the page should be, and nothing in it.
const GAP = ['.....', '.###.', '.# #.', '.###.', '.....'];

/** `/notFound`, unknown addresses and items that are gone (status 404). */
export function NotFoundPage({ document }: { document: NotFoundPageJson }) {
  const { platform } = usePage();
  const t = useMessages('not-found');
  const article = document.missing === 'article';
  const inApp = platform === 'app';
  return (
    <div className={`${section.inner} ${styles.page}`} data-app={inApp || undefined}>
      <TriangleField rows={inApp ? GAP : DIGITS} className={styles.art} />
      <div className={styles.text}>
        <h1 className={styles.title}>{t(article ? 'title.article' : 'title')}</h1>
        <p className={styles.hint}>{t(article ? 'text.article' : 'text')}</p>
        <p className={styles.ways}>
          <SiteLink to={article ? '/news' : '/'} className={buttonClass('primary')}>
            {t(article ? 'news' : 'home')}
          </SiteLink>
          {!inApp && (
            <SiteLink to={article ? '/' : '/support'} className={textLinkClass}>
              {t(article ? 'home' : 'support')}
              <Icon name="arrow-forward" />
            </SiteLink>
          )}
        </p>
      </div>
    </div>
  );
}
