import type { Language } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import { Time } from '~/ui/Time';
import { TitleParts } from '~/ui/TitleParts';
import styles from './reading.module.css';

/** The title of a text and its summary, in the language of the text. */
export function TextTitle({
  title,
  summary,
  language,
}: {
  title: string | undefined;
  summary: string | undefined;
  language: Language;
}) {
  return (
    <>
      <h1 className={styles.title} {...language}>
        {title && <TitleParts text={title} />}
      </h1>
      <p className={headings.standfirst} {...language}>
        {summary}
      </p>
    </>
  );
}

/** Author, reading time if there is one, and date. */
export function Byline({
  article: { author, publishedAt = 0, readingMinutes },
  authorLabel,
  language,
}: {
  article: { author?: string; publishedAt?: number; readingMinutes?: number };
  /** Replaces the hidden label of the author. */
  authorLabel?: string;
  language: Language;
}) {
  const t = useMessages('reading');
  const common = useMessages('common');
  return (
    <dl className={styles.byline}>
      {author && (
        <div>
          <dt className="visually-hidden">{authorLabel ?? t('author')}</dt>
          <dd className={styles.author}>
            <bdi {...language}>{author}</bdi>
          </dd>
        </div>
      )}
      {readingMinutes && (
        <div>
          <dt className="visually-hidden">{t('length')}</dt>
          <dd>
            <Icon name="reader" />
            {common('reading', { minutes: readingMinutes })}
          </dd>
        </div>
      )}
      <div>
        <dt className="visually-hidden">{t('published')}</dt>
        <dd>
          <Icon name="clock" />
          <Time epoch={publishedAt} />
        </dd>
      </div>
    </dl>
  );
}

/** Labels a sample text of a kind. */
export function SampleNote({ kind }: { kind: 'news' | 'announcement' | 'lesson' | 'company' }) {
  const t = useMessages('reading');
  return (
    <p>
      <strong>{t(`sample.${kind}.title`)}</strong> {t(`sample.${kind}.note`)}
    </p>
  );
}
