import type { Language } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { Time } from '~/ui/Time';
import styles from './reading.module.css';

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
