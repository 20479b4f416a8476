import type { ReactNode } from 'react';
import headings from '~/ui/headings.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import styles from './after.module.css';

/** A list after a text, with a link to the whole of which it is a part. */
export function AfterList({
  id,
  title,
  all,
  note,
  ordered = false,
  children,
}: {
  id: string;
  title: ReactNode;
  all: { name: string; to: string };
  /** Above the items. */
  note?: ReactNode;
  ordered?: boolean;
  /** The items. */
  children: ReactNode;
}) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <Section aria-labelledby={id}>
      <div className={`${rows.apart} ${styles.head}`}>
        <h2 id={id} className={headings.small}>
          {title}
        </h2>
        <TextLink to={all.to}>{all.name}</TextLink>
      </div>
      {note}
      <List className={styles.list}>{children}</List>
    </Section>
  );
}
