import { SiteLink } from '~/lib/links/SiteLink';
import styles from './Breadcrumb.module.css';

/** A step of a breadcrumb: a site path without locale prefix; the current page has none. */
export interface Step {
  name: string;
  to?: string | undefined;
}

/** The path from the section's home to the current page. */
export function Breadcrumb({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <nav aria-label={label} className={styles.nav}>
      <ol className={styles.steps}>
        {steps.map(({ name, to }) => (
          <li key={to ?? name} className={styles.step}>
            {to ? (
              <SiteLink to={to} className={styles.link}>
                {name}
              </SiteLink>
            ) : (
              <span aria-current="page" className={styles.here}>
                {name}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
