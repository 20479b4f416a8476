import type { CourseLessonsJson } from '~/gen/sahm/content/v1/college_pb';
import { useMessages } from '~/lib/messages/messages';
import styles from './CourseLessons.module.css';
import { useReadLessons } from './lessons';

/** How many lessons a course has, how long they take, and how many were read in this browser. */
export function CourseLessons({ lessons }: { lessons: CourseLessonsJson | undefined }) {
  const t = useMessages('college');
  const read = useReadLessons();
  const ids = lessons?.articleIds ?? [];
  if (ids.length === 0) return null;
  const done = ids.filter((id) => read.has(id)).length;
  return (
    <>
      <span className={styles.extent}>
        <span>{t('lessons', { count: ids.length })}</span>
        <span>{t('minutes', { minutes: lessons?.readingMinutes ?? 1 })}</span>
      </span>
      {done > 0 && (
        <span className={styles.progress}>
          <progress className={styles.bar} value={done} max={ids.length} aria-hidden="true" />
          {t('progress', { done, count: ids.length })}
        </span>
      )}
    </>
  );
}
