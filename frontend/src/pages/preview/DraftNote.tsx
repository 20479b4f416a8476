import type { PreviewPageJson } from '~/gen/sahm/page/v1/preview_pb';
import { pathTo } from '~/lib/links/path-to';
import { hrefIn, otherLocale } from '~/lib/links/paths';
import { SiteLink } from '~/lib/links/SiteLink';
import { LOCALES, languageOf } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Badge } from '~/ui/Badge';
import { Icon } from '~/ui/Icon';
import { Note } from '~/ui/Note';
import { Section } from '~/ui/Section';
import { Time } from '~/ui/Time';
import styles from './DraftNote.module.css';

const KINDS = {
  news: 'kind.news',
  'college-article': 'kind.college-article',
  'company-article': 'kind.company-article',
  'help-document': 'kind.help-document',
  'legal-document': 'kind.legal-document',
} as const;

/** Marks the page as a draft and links to the other drafts of its type. */
export function DraftNote({ document }: { document: PreviewPageJson }) {
  const { locale } = usePage();
  const t = useMessages('preview');
  const { type = '', draftId = '', drafts = [] } = document;
  const shown = drafts.find(({ id }) => id === draftId);
  const other = otherLocale(locale);
  const { tag, dir, name } = LOCALES[other];
  return (
    <Section aria-label={t('about')} className={styles.note}>
      <Note>
        <p>
          <Badge tone="strong">{t('draft')}</Badge> {t('note')}
        </p>
        <p className={styles.row}>
          <span>
            {t('type')}: <bdi dir="ltr">{type}</bdi>
          </span>
          {shown?.kind && shown.kind in KINDS && (
            <span>
              {t('kind')}: {t(KINDS[shown.kind as keyof typeof KINDS])}
            </span>
          )}
          <SiteLink
            to={hrefIn(other, addressOf(type, draftId))}
            hrefLang={tag}
            document
            className={styles.link}
          >
            <Icon name="globe" />
            <span lang={tag} dir={dir}>
              {name}
            </span>
          </SiteLink>
          {/* Last, because hydration replaces it with a relative time. */}
          {shown?.importedAt && (
            <span>
              {t('imported')}: <Time epoch={shown.importedAt} />
            </span>
          )}
        </p>
        {drafts.length > 1 && (
          <nav aria-label={t('drafts')}>
            <ol className={styles.row}>
              {drafts.map(({ id = '', title, locale: draftLocale }) => (
                <li key={id}>
                  <SiteLink
                    to={addressOf(type, id)}
                    aria-current={id === draftId ? 'page' : undefined}
                    className={styles.link}
                    {...languageOf(draftLocale, draftLocale !== locale)}
                  >
                    {title}
                  </SiteLink>
                </li>
              ))}
            </ol>
          </nav>
        )}
      </Note>
    </Section>
  );
}

function addressOf(type: string, id: string): string {
  return pathTo('preview', { type, draft: id });
}
