import { useMessages } from '~/lib/messages/messages';
import styles from './Level.module.css';

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
      <svg className={styles.steps} viewBox="0 0 30 12" aria-hidden="true">
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
