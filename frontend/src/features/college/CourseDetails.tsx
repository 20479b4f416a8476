import type { CourseLessonsJson } from '~/gen/sahm/content/v1/college_pb';
import { useMessages } from '~/lib/messages/messages';
import styles from './CourseDetails.module.css';
import { useReadLessons } from './lessons';

const LEVELS = ['beginner', 'intermediate', 'advanced'] as const;

type LevelName = (typeof LEVELS)[number];

/** A course's difficulty: a word, and one to three triangles. */
export function Level({ level }: { level: string | undefined }) {
  const t = useMessages('college');
  const steps = LEVELS.indexOf(level as LevelName) + 1;
  const name = LEVELS[steps - 1];
  if (!name) return null;
  return (
    <span className={styles.level}>
      <svg className={`${styles.steps} mirrored`} viewBox="0 0 30 12" aria-hidden="true">
        {LEVELS.map((id, index) => (
          <path
            key={id}
            className={index < steps ? styles.reached : styles.open}
            d={`M${index * 10} 12l6-${6 + index * 3} 3 ${6 + index * 3}z`}
          />
        ))}
      </svg>
      {t(`level.${name}`)}
    </span>
  );
}

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
