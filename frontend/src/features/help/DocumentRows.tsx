import type { ReactNode } from 'react';
import { SiteLink } from '~/lib/links/SiteLink';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import styles from './DocumentRows.module.css';

/** A document in a list. */
export interface Row {
  id: string;
  /** Site path without locale prefix. */
  to: string;
  title: ReactNode;
  text?: ReactNode;
  /** The kind of document, for mixed lists. */
  kind?: string | undefined;
}

/** Documents as a list of links. */
export function DocumentRows({
  rows,
  heading: Heading,
}: {
  rows: readonly Row[];
  /** The heading level below the list's heading. */
  heading: 'h2' | 'h3';
}) {
  return (
    <ul className={styles.list}>
      {rows.map(({ id, to, title, text, kind }) => (
        <li key={id} className={styles.row}>
          {kind && <p className={styles.kind}>{kind}</p>}
          <Heading className={styles.title}>
            <SiteLink to={to} className={links.stretched}>
              {title}
            </SiteLink>
          </Heading>
          {text && <p className={styles.text}>{text}</p>}
          <Icon name="chevron-forward" className={styles.arrow} />
        </li>
      ))}
    </ul>
  );
}
