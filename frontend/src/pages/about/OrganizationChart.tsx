import { useMessages } from '~/lib/messages/messages';
import { type Branch, CHART } from './chart';
import styles from './OrganizationChart.module.css';

/** The reporting lines as nested lists, drawn as a tree. */
export function OrganizationChart() {
  const t = useMessages('about');
  return (
    <figure className={styles.figure}>
      <ul className={styles.tree}>
        <Node branch={CHART} depth={0} />
      </ul>
      <figcaption className={styles.caption}>
        {(['line', 'department', 'control'] as const).map((kind) => (
          <span key={kind} className={styles.kind}>
            <span className={styles.key} data-kind={kind} />
            {t(`chart.${kind}`)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Node({ branch: { unit, control, below }, depth }: { branch: Branch; depth: number }) {
  const t = useMessages('about');
  return (
    <li className={styles.node} data-depth={depth}>
      <p className={styles.unit} data-control={control && ''}>
        <span>{t(`unit.${unit}`)}</span>
        {control && <span className="visually-hidden"> ({t('chart.control')})</span>}
      </p>
      {below && (
        <ul className={styles.below}>
          {below.map((branch) => (
            <Node key={branch.unit} branch={branch} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
}
