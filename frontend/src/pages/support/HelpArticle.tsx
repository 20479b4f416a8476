import type { ReactNode } from 'react';
import { documentPath, FEEDBACK_SLUG } from '~/features/help/paths';
import { Contents, withContents } from '~/features/reading/Contents';
import type { SupportDetailPageJson } from '~/gen/sahm/page/v1/support_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { languageOf } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { Breadcrumb } from '~/ui/Breadcrumb';
import headings from '~/ui/headings.module.css';
import { OneLanguage } from '~/ui/Note';
import { Prose } from '~/ui/Prose';
import { Section } from '~/ui/Section';
import { CalendarDate } from '~/ui/Time';
import { ContactCard } from './ContactCard';
import styles from './HelpArticle.module.css';

/** A help document with the page's other content after its short answer. */
export function HelpArticle({
  document: page,
  className = '',
  children,
}: {
  document: SupportDetailPageJson;
  className?: string | undefined;
  children?: ReactNode;
}) {
  const t = useMessages('support');
  const { document = {}, otherLanguage = false, breadcrumb = [], related = [] } = page;
  const language = languageOf(document.locale, otherLanguage);
  const { html, entries } = withContents(document.bodyHtml ?? '');
  const steps = [
    { name: t('title'), to: pathTo('support') },
    ...breadcrumb
      .filter(({ kind }) => kind === 'channel')
      .map(({ name = '', link }) => ({ name, to: link })),
    { name: document.title ?? '' },
  ];
  return (
    <Section as="div" className={`${styles.page} ${className}`}>
      <Breadcrumb label={t('breadcrumb')} steps={steps} />
      <article className={styles.document}>
        {otherLanguage && <OneLanguage />}
        <header>
          <h1 className={`${headings.medium} ${styles.title}`} {...language}>
            {document.title}
          </h1>
          <p className={styles.answer} {...language}>
            {document.summary}
          </p>
        </header>
        {children}
        <Prose html={html} language={language} />
        {document.updatedAt && (
          <p className={styles.updated}>
            {t.rich('updated', { date: <CalendarDate epoch={document.updatedAt} /> })}
          </p>
        )}
      </article>
      <div className={`${styles.aside} screen-only`}>
        <Contents title={t('contents')} entries={entries} language={language} minEntries={3} />
        {related.length > 0 && (
          <nav aria-labelledby="related">
            <h2 id="related" className={styles.asideTitle}>
              {t('related')}
            </h2>
            <ul className={styles.related}>
              {related.map((other) => (
                <li key={other.id}>
                  <SiteLink to={documentPath(other)}>{other.title}</SiteLink>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <ContactCard besideForm={document.slug === FEEDBACK_SLUG} />
      </div>
    </Section>
  );
}
