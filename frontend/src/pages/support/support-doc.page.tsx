import { DocumentText } from '~/features/help/DocumentText';
import type { SupportDocPageJson } from '~/gen/sahm/page/v1/support_pb';
import { formatDate, isoTime } from '~/lib/format/format';
import { languageOf } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { usePage } from '~/lib/page/page';
import headings from '~/ui/headings.module.css';
import { OneLanguage } from '~/ui/Note';
import { Section } from '~/ui/Section';
import styles from './SupportDocPage.module.css';

/** `/support/doc/{id?}`: a document without layout, for the app. */
function SupportDocPage({ document: page }: { document: SupportDocPageJson }) {
  const { locale } = usePage();
  const t = useMessages('support');
  const { document = {}, otherLanguage = false } = page;
  const { updatedAt } = document;
  return (
    <Section as="article" className={styles.page}>
      {otherLanguage && <OneLanguage />}
      <header>
        <h1
          className={`${headings.medium} ${styles.title}`}
          {...languageOf(document.locale, otherLanguage)}
        >
          {document.title}
        </h1>
        {updatedAt && (
          <p className={styles.updated}>
            {t.rich('updated', {
              date: (
                <time key="date" dateTime={isoTime(updatedAt)}>
                  {formatDate(locale, updatedAt)}
                </time>
              ),
            })}
          </p>
        )}
      </header>
      <DocumentText document={document} other={otherLanguage} />
    </Section>
  );
}

export default definePage({ Component: SupportDocPage, messages: ['support'] });
