import type { ReactNode } from 'react';
import styles from './ExampleTable.module.css';

export interface ExampleRow {
  name: string;
  cells: ReactNode[];
  /** The total row. */
  sum?: boolean;
}

/** A table of example amounts. */
export function ExampleTable({
  caption,
  captionHidden,
  head,
  rows,
}: {
  caption: string;
  /** Hides the caption visually, beside a text that says the same. */
  captionHidden?: boolean;
  /** The column names, including the first. */
  head: string[];
  rows: ExampleRow[];
}) {
  const [first, ...columns] = head;
  return (
    <table className={styles.table}>
      <caption className={captionHidden ? 'visually-hidden' : styles.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {columns.map((name) => (
            <th key={name} scope="col" className={styles.figure}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells, sum }) => (
          <tr key={name} className={sum ? styles.sum : undefined}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={columns[index]} className={styles.figure}>
                <bdi>{cell}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
