import type { ReactNode } from 'react';
import styles from './ExampleTable.module.css';

export interface ExampleRow {
  name: string;
  cells: ReactNode[];
  /** The row that the others come to. */
  sum?: boolean;
}

/** An example's figures: what each row is, and its amounts under the head's names. */
export function ExampleTable({
  caption,
  head,
  rows,
}: {
  caption: string;
  /** Names of the columns, the first one's included. */
  head: string[];
  rows: ExampleRow[];
}) {
  const [first, ...columns] = head;
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{caption}</caption>
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
