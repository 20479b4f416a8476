import { DocumentRows } from '~/features/help/DocumentRows';
import { Marked } from '~/features/help/Marked';
import { FEEDBACK_PATH, firstHref } from '~/features/help/paths';
import { QuestionList } from '~/features/help/QuestionList';
import { SearchBox } from '~/features/help/SearchBox';
import type { SupportSearchPageJson } from '~/gen/sahm/page/v1/support_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { usePage } from '~/lib/page/page';
import { Breadcrumb } from '~/ui/Breadcrumb';
import { buttonClass } from '~/ui/button';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import links from '~/ui/links.module.css';
import { moreHref } from '~/ui/pagination/cursor-page';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import { ContactCard } from './ContactCard';
import styles from './SupportSearchPage.module.css';
import { trailTo } from './trail';

/** `/support/search`: the results for a keyword, or the common questions. */
function SupportSearchPage({ document }: { document: SupportSearchPageJson }) {
  const t = useMessages('support');
  const { keyword = '', hits = [], commonQuestions = [] } = document;
  const hasKeyword = keyword !== '';
  return (
    <Section as="div" className={styles.page}>
      <Breadcrumb
        label={t('breadcrumb')}
        steps={[{ name: t('title'), to: pathTo('support') }, { name: t('search.title') }]}
      />
      <header className={styles.head}>
        <h1 className={headings.medium}>{t('search.title')}</h1>
        <SearchBox keyword={keyword} large />
      </header>
      {hasKeyword && hits.length > 0 && (
        <div className={styles.columns}>
          <Hits document={document} />
          <ContactCard />
        </div>
      )}
      {hasKeyword && hits.length === 0 && (
        <EmptyState title={t('search.none')}>
          <p className={styles.hint}>
            {t.rich('search.none.hint', { keyword: <bdi>{keyword}</bdi> })}
          </p>
          <TextLink to={FEEDBACK_PATH}>{t('contact.feedback')}</TextLink>
        </EmptyState>
      )}
      {(!hasKeyword || hits.length === 0) && commonQuestions.length > 0 && (
        <section aria-labelledby="search-questions" className={styles.questions}>
          <h2 id="search-questions" className={styles.heading}>
            {t('questions.title')}
          </h2>
          <QuestionList questions={commonQuestions} />
        </section>
      )}
    </Section>
  );
}

function Hits({
  document: { keyword = '', hits = [], total = 0, nextCursor = '', tree = [] },
}: {
  document: SupportSearchPageJson;
}) {
  const { url } = usePage();
  const t = useMessages('support');
  const continued = /[?&]cursor=/.test(url);
  const found = hits.map((hit) => ({
    id: `${hit.kind} ${hit.id}`,
    to: hit.link ?? pathTo('support'),
    title: <Marked parts={hit.titleParts} text={hit.title} />,
    text: <Marked parts={hit.excerptParts} text={hit.summary} />,
    kind:
      hit.kind === 'legal-document'
        ? t('kind.legal')
        : trailTo(tree, hit.parentId ?? '').at(-1)?.channel?.name,
  }));
  return (
    <section aria-labelledby="search-hits">
      <div className={`${rows.apart} ${styles.found}`}>
        <h2 id="search-hits" className={styles.heading}>
          {t.rich('search.found', { count: total, keyword: <bdi>{keyword}</bdi> })}
        </h2>
        {continued && (
          <SiteLink to={firstHref(url)} className={links.text}>
            {t('search.first')}
          </SiteLink>
        )}
      </div>
      <DocumentRows rows={found} heading="h3" />
      {nextCursor && (
        <p className={styles.more}>
          <SiteLink to={moreHref(url, nextCursor)} className={buttonClass('quiet')}>
            {t('search.more')}
          </SiteLink>
        </p>
      )}
    </section>
  );
}

export default definePage({ Component: SupportSearchPage, messages: ['support'] });
