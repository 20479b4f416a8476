import type { SupportDocPageJson } from '~/gen/sahm/page/v1/support_pb';
import { languageOf } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import headings from '~/ui/headings.module.css';
import { OneLanguage } from '~/ui/Note';
import { Prose } from '~/ui/Prose';
import { Section } from '~/ui/Section';
import { CalendarDate } from '~/ui/Time';
import styles from './SupportDocPage.module.css';

/** `/support/doc/{id?}`: a document without layout, for the app. */
function SupportDocPage({ document: page }: { document: SupportDocPageJson }) {
  const t = useMessages('support');
  const { document = {}, otherLanguage = false } = page;
  const { updatedAt } = document;
  const language = languageOf(document.locale, otherLanguage);
  return (
    <Section as="article" className={styles.page}>
      {otherLanguage && <OneLanguage />}
      <header>
        <h1 className={`${headings.medium} ${styles.title}`} {...language}>
          {document.title}
        </h1>
        {updatedAt && (
          <p className={styles.updated}>
            {t.rich('updated', { date: <CalendarDate epoch={updatedAt} /> })}
          </p>
        )}
      </header>
      <Prose html={document.bodyHtml} language={language} />
    </Section>
  );
}

export default definePage({ Component: SupportDocPage, messages: ['support'] });
