import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { ClosingBand } from '~/features/account/ClosingBand';
import { MarketName } from '~/features/news/ArticleMeta';
import { ArticleRow } from '~/features/news/ArticleRow';
import { marketNewsPath } from '~/features/news/paths';
import { useArticleLikes } from '~/features/news/useArticleLikes';
import { AfterList } from '~/features/reading/AfterList';
import after from '~/features/reading/after.module.css';
import { Contents, withContents } from '~/features/reading/Contents';
import reading from '~/features/reading/reading.module.css';
import { Byline, SampleNote, TextTitle } from '~/features/reading/TextHead';
import { ShareButton } from '~/features/share/ShareButton';
import { addArticleReadLog } from '~/gen/operations';
import type { ArticlePageJson } from '~/gen/sahm/page/v1/page_pb';
import { post } from '~/lib/api';
import { importOrReload } from '~/lib/import-or-reload';
import { SiteLink } from '~/lib/links/SiteLink';
import { languageOf } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { useHydrated } from '~/lib/page/hydrated';
import { lazyHydrate } from '~/lib/page/lazy-hydrate';
import { useIsDraft, usePage } from '~/lib/page/page';
import { LikeButton } from '~/ui/likes/LikeButton';
import links from '~/ui/links.module.css';
import { OneLanguage } from '~/ui/Note';
import { Picture } from '~/ui/Picture';
import { Prose } from '~/ui/Prose';
import { SampleScope } from '~/ui/SampleScope';
import { Section } from '~/ui/Section';
import { TriangleRow } from '~/ui/TriangleRow';
import styles from './ArticlePage.module.css';
import { type Translation, useTranslation } from './useTranslation';

const Securities = lazyHydrate(['quotes'], () =>
  import('./Securities').then((part) => part.Securities),
);

// Few visitors use it, on few pages; the article works without it.
const TranslationBar = lazy<ComponentType<{ translation: Translation }>>(async () => {
  const bar = await importOrReload(() => import('./TranslationBar'));
  return { default: bar?.TranslationBar ?? (() => null) };
});

/** The space between a word and a year, such as in "the end of 2026". */
const BEFORE_YEAR = / (?=\d{4}\b)/g;

/** The space between a weekday and its date; in Arabic, after any word with the definite article. */
const BEFORE_DAY = /(day|ال\S+) (?=\d{1,2} \p{L})/gu;

/** `/news/content/{id}`: an article in its own language and direction. */
export function ArticlePage({ document }: { document: ArticlePageJson }) {
  const hydrated = useHydrated();
  const t = useMessages('article');
  const texts = useMessages('reading');
  const { article: original = {}, otherLanguage = false, machineTranslation = false } = document;
  const { related = [], relatedUnavailable } = document;
  const translation = useTranslation(original);
  const { article = original } = translation;
  const { market, image } = original;
  const id = original.id ?? '';
  const title = article.title ?? '';
  const summary = article.summary ?? '';
  const marketPath = marketNewsPath(market);
  const language = languageOf(article.locale, otherLanguage && article === original);
  const { html, entries } = withContents((article.bodyHtml ?? '').replace(BEFORE_DAY, '$1\u00a0'));
  const likes = useArticleLikes(id);
  useReadLog(id);
  return (
    <>
      <Section as="article" className={reading.page}>
        {otherLanguage && (
          <div className={styles.above}>
            <OneLanguage />
            {hydrated && machineTranslation && original.sign && (
              <Suspense fallback={null}>
                <TranslationBar translation={translation} />
              </Suspense>
            )}
          </div>
        )}
        <header className={reading.head}>
          <p className={reading.kicker}>
            <SiteLink to={marketPath} className={links.text}>
              {market ? <MarketName market={market} /> : t('back')}
            </SiteLink>
          </p>
          <TextTitle
            title={title.replace(BEFORE_YEAR, '\u00a0')}
            summary={summary}
            language={language}
          />
          <div className={reading.bar}>
            <Byline article={original} language={languageOf(original.locale, otherLanguage)} />
            <div className={reading.actions}>
              <LikeButton key={id} id={id} count={Number(original.likeCount ?? 0)} calls={likes} />
              <ShareButton subject="cms" title={title} description={summary} />
            </div>
          </div>
        </header>
        {image?.path && (
          <figure className={reading.figure} {...languageOf(original.locale, otherLanguage)}>
            <Picture image={image} eager />
          </figure>
        )}
        <Contents title={t('contents')} entries={entries} language={language} />
        <Prose html={html} language={language} />
        <aside className={reading.aside} aria-label={t('beside')}>
          {original.stocks?.length ? <Securities document={document} /> : null}
          <div className={reading.notes}>
            {original.sample && <SampleNote kind="news" />}
            <p>{texts('advice')}</p>
          </div>
        </aside>
      </Section>
      {/* The article's note covers the related articles too if all are samples. */}
      <SampleScope items={[original, ...related]}>
        {(related.length > 0 || relatedUnavailable) && (
          <div className={`${after.after} screen-only`}>
            <TriangleRow rows={2} className={after.edge} />
            <AfterList
              id="related"
              title={t('related')}
              all={{ name: t('back'), to: marketPath }}
              note={relatedUnavailable && <p>{t('related.unavailable')}</p>}
            >
              {related.map((item) => (
                <li key={item.id}>
                  <ArticleRow article={item} heading="h3" layout="stacked" />
                </li>
              ))}
            </AfterList>
          </div>
        )}
      </SampleScope>
      <ClosingBand />
    </>
  );
}

/** Counts one reading of an article; failures are silent. */
function useReadLog(id: string): void {
  const { locale } = usePage();
  const isDraft = useIsDraft();
  useEffect(() => {
    if (!id || isDraft) return;
    post(addArticleReadLog, { id }, { locale, keepalive: true }).catch(() => {});
  }, [id, isDraft, locale]);
}
