import { Announcements } from '~/features/news/Announcements';
import { marketNewsPath } from '~/features/news/paths';
import { QuoteList } from '~/features/quotes/QuoteList';
import reading from '~/features/reading/reading.module.css';
import { Byline, SampleNote, TextTitle } from '~/features/reading/TextHead';
import type { NoticePageJson } from '~/gen/sahm/page/v1/page_pb';
import { languageOf } from '~/lib/locale';
import { isMarket } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { Breadcrumb } from '~/ui/Breadcrumb';
import { OneLanguage } from '~/ui/Note';
import { Prose } from '~/ui/Prose';
import { Section } from '~/ui/Section';

/** `/news/-notice/{id}`: an announcement, its securities with live prices, and other announcements. */
function NoticePage({ document }: { document: NoticePageJson }) {
  const t = useMessages('notice');
  const texts = useMessages('reading');
  const common = useMessages('common');
  const { announcement = {}, otherLanguage = false, quotes = [], quotesUnavailable } = document;
  const { locale, market, title, summary, source = '', publishedAt = 0 } = announcement;
  const language = languageOf(locale, otherLanguage);
  return (
    <Section as="div" className={reading.page}>
      <article className="contents">
        {otherLanguage && <OneLanguage />}
        <header className={reading.head}>
          <Breadcrumb
            label={t('way')}
            steps={[
              {
                name: isMarket(market) ? common(`market.${market}`) : t('back'),
                to: marketNewsPath(market),
              },
              { name: t('kind') },
            ]}
          />
          <TextTitle title={title} summary={summary} language={language} />
          <Byline
            article={{ author: source, publishedAt }}
            authorLabel={t('source')}
            language={language}
          />
        </header>
        <Prose html={announcement.bodyHtml} language={language} />
        <aside className={reading.aside} aria-label={t('beside')}>
          {(quotes.length > 0 || quotesUnavailable) && (
            <section aria-labelledby="securities">
              <h2 id="securities" className={reading.asideTitle}>
                {t('securities')}
              </h2>
              <QuoteList quotes={quotes} unavailable={quotesUnavailable ?? false} />
            </section>
          )}
          <div className={reading.notes}>
            {announcement.sample && <SampleNote kind="announcement" />}
            <p>{texts('advice')}</p>
          </div>
        </aside>
      </article>
      <Announcements title={t('others')} items={document.announcements} />
    </Section>
  );
}

export default definePage({
  Component: NoticePage,
  messages: ['notice', 'reading', 'quotes'],
});
