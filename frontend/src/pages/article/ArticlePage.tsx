import { MarketName } from '~/features/news/ArticleMeta';
import { ArticleRow } from '~/features/news/ArticleRow';
import type { ArticlePageJson } from '~/gen/sahm/page/v1/page_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { isLocale, LOCALES } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { Picture } from '~/ui/Picture';
import prose from '~/ui/prose.module.css';
import section from '~/ui/section.module.css';
import { Time } from '~/ui/Time';
import { TriangleRow } from '~/ui/TriangleRow';
import { textLinkClass } from '~/ui/text-link';
import styles from './ArticlePage.module.css';
import { useReadLog } from './useReadLog';

/** `/news/content/{id}`: one article, whole, in its own language and direction. */
export function ArticlePage({ document }: { document: ArticlePageJson }) {
  const t = useMessages('article');
  const { article = {}, otherLanguage = false } = document;
  const { market, image } = article;
  const marketPath = market === 'us' || market === 'saudi' ? `/news/${market}` : '/news';
  const own = languageOf(article.locale, otherLanguage);
  useReadLog(article.id);
  return (
    <>
      <article className={`${section.inner} ${styles.page}`}>
        {otherLanguage && (
          <p role="note" className={styles.oneLanguage}>
            {t('one-language')}
          </p>
        )}
        <header className={styles.head}>
          <p className={styles.kicker}>
            <SiteLink to={marketPath} aria-current={undefined} className={styles.back}>
              {market ? <MarketName market={market} /> : t('back')}
            </SiteLink>
          </p>
          <h1 className={styles.title} {...own}>
            {article.title}
          </h1>
          <p className={styles.standfirst} {...own}>
            {article.summary}
          </p>
          <Byline document={document} own={own} />
        </header>
        {image?.path && (
          <figure className={styles.figure} {...own}>
            <Picture image={image} eager />
          </figure>
        )}
        <aside className={styles.aside}>
          {article.sample && (
            <div className={styles.note}>
              <p className={styles.noteTitle}>{t('sample.title')}</p>
              <p>{t('sample.note')}</p>
            </div>
          )}
          <p className={styles.advice}>{t('advice')}</p>
        </aside>
        {/* Sanitised where it was imported. */}
        <div
          className={`${styles.body} ${prose.text}`}
          {...own}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: `body_html` is sanitised HTML
          dangerouslySetInnerHTML={{ __html: article.bodyHtml ?? '' }}
        />
      </article>
      <Related document={document} marketPath={marketPath} />
    </>
  );
}

interface Language {
  lang?: string;
  dir?: 'ltr' | 'rtl';
}

/** The attributes of text that may not be in the page's language. */
function languageOf(locale: string | undefined, other: boolean): Language {
  if (!other || !isLocale(locale)) return {};
  const { tag, dir } = LOCALES[locale];
  return { lang: tag, dir };
}

function Byline({ document: { article = {} }, own }: { document: ArticlePageJson; own: Language }) {
  const t = useMessages('article');
  const common = useMessages('chrome');
  const { author, publishedAt = 0, readingMinutes = 1 } = article;
  return (
    <dl className={styles.byline}>
      {author && (
        <div>
          <dt className="visually-hidden">{t('author')}</dt>
          <dd className={styles.author}>
            <bdi {...own}>{author}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt className="visually-hidden">{t('length')}</dt>
        <dd>
          <Icon name="reader" />
          {common('reading', { minutes: readingMinutes })}
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">{t('published')}</dt>
        <dd>
          <Icon name="clock" />
          <Time epoch={publishedAt} long />
        </dd>
      </div>
    </dl>
  );
}

function Related({ document, marketPath }: { document: ArticlePageJson; marketPath: string }) {
  const t = useMessages('article');
  const { related = [], relatedUnavailable, article = {} } = document;
  if (related.length === 0 && !relatedUnavailable) return null;
  const market = article.market === 'us' || article.market === 'saudi' ? article.market : 'all';
  return (
    <section className={styles.related} aria-labelledby="related">
      <TriangleRow className={styles.edge} />
      <div className={section.inner}>
        <div className={styles.relatedHead}>
          <h2 id="related" className={styles.relatedTitle}>
            {t(`related.${market}`)}
          </h2>
          <SiteLink to={marketPath} aria-current={undefined} className={textLinkClass}>
            {t('back')}
            <Icon name="arrow-forward" />
          </SiteLink>
        </div>
        {relatedUnavailable && <p>{t('related.unavailable')}</p>}
        <ul className={styles.list}>
          {related.map((item) => (
            <li key={item.id}>
              <ArticleRow article={item} heading="h3" brief />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
