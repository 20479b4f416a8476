import { useSyncExternalStore } from 'react';
import { documentPath } from '~/features/help/paths';
import { ContentsList, type Entry, withContents } from '~/features/reading/Contents';
import type { TermsPageJson } from '~/gen/sahm/page/v1/company_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { type Language, languageOf } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import { OneLanguage } from '~/ui/Note';
import { Prose } from '~/ui/Prose';
import { Section } from '~/ui/Section';
import { onScroll } from '~/ui/scroll';
import { CalendarDate } from '~/ui/Time';
import tabs from '~/ui/tabs.module.css';
import styles from './TermsPage.module.css';

/** The help centre's copy of the privacy policy; the list contains the policy itself. */
const COPY_ID = '19';
const ORIGINAL_ID = '26';

/**
 * `/terms-and-conditions/{id?}` and `/about/{title}`: a legal document with a table of contents.
 */
export function TermsPage({ document: page }: { document: TermsPageJson }) {
  const t = useMessages('terms');
  const { document = {}, otherLanguage = false, documents = [] } = page;
  const language = languageOf(document.locale, otherLanguage);
  const { html, entries } = withContents(document.bodyHtml ?? '');
  const shown = document.id === COPY_ID ? ORIGINAL_ID : document.id;
  const dates = [
    ['updated', document.updatedAt],
    ['effective', document.effectiveAt],
  ] as const;
  const tabbed = documents.filter(({ id }) => id !== COPY_ID);
  return (
    <Section as="div" className={styles.page}>
      {tabbed.length > 0 && (
        <nav aria-label={t('documents')} className={`${tabs.nav} ${styles.tabs}`}>
          <ul key={shown} ref={showCurrent} className={tabs.list}>
            {tabbed.map((tab) => (
              <li key={tab.id}>
                <SiteLink
                  to={documentPath(tab)}
                  className={tabs.tab}
                  aria-current={tab.id === shown ? 'page' : undefined}
                >
                  <span className={tabs.name}>{tab.title}</span>
                </SiteLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <header className={styles.head}>
        {otherLanguage && <OneLanguage />}
        <h1 className={`${headings.medium} ${styles.title}`} {...language}>
          {document.title}
        </h1>
        <p className={styles.summary} {...language}>
          {document.summary}
        </p>
        <dl className={styles.dates}>
          {dates.map(([name, epoch]) =>
            epoch ? (
              <div key={name}>
                <dt>{t(name)}</dt>
                <dd>
                  <CalendarDate epoch={epoch} />
                </dd>
              </div>
            ) : null,
          )}
        </dl>
      </header>
      {entries.length > 1 && <Contents entries={entries} language={language} />}
      <Prose html={html} language={language} className={styles.body} />
    </Section>
  );
}

/** Scrolls a row of tabs that is wider than the window to the current tab. */
function showCurrent(list: HTMLElement | null): void {
  const tab = list?.querySelector('[aria-current]');
  if (!list || !tab) return;
  const [row, current] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  list.scrollBy(current.x + current.width / 2 - (row.x + row.width / 2), 0);
}

function Contents({ entries, language }: { entries: Entry[]; language: Language }) {
  const { platform } = usePage();
  const t = useMessages('terms');
  const current = useSyncExternalStore(
    onScroll,
    () => currentSection(entries),
    () => undefined,
  );
  return (
    <nav aria-labelledby="contents" className={styles.contents}>
      <details open={platform === 'pc'}>
        <summary id="contents" className={styles.contentsTitle}>
          {t('contents')}
          <Icon name="chevron-down" className={styles.chevron} />
        </summary>
        <ContentsList
          entries={entries}
          language={language}
          className={styles.entry}
          {...(current && { current })}
        />
      </details>
    </nav>
  );
}

/** A heading within this distance of the window's top begins the current section. */
const CURRENT_PX = 160;

/** The id of the section at the window's top; `undefined` above the first. */
function currentSection(entries: readonly Entry[]): string | undefined {
  const top = (id: string) => document.getElementById(id)?.getBoundingClientRect().top;
  return entries.findLast(({ id }) => (top(id) ?? Infinity) < CURRENT_PX)?.id;
}
