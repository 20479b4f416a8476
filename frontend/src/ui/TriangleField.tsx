import styles from './TriangleField.module.css';

/** The side of a cell in the drawing's units. */
const CELL = 24;

/**
 * A grid of Najdi triangles: `#` is lit, `.` is dim, a space is empty. Decorative; what it spells
 * must also be text. Not mirrored, so that it can spell digits.
 */
export function TriangleField({
  rows,
  className,
}: {
  rows: readonly string[];
  className?: string | undefined;
}) {
  const width = Math.max(...rows.map((row) => row.length)) * CELL;
  return (
    <svg className={className} viewBox={`0 0 ${width} ${rows.length * CELL}`} aria-hidden="true">
      <path className={styles.dim} d={triangles(rows, '.', 7)} />
      <path className={styles.lit} d={triangles(rows, '#', 2)} />
    </svg>
  );
}

/** Path data of a triangle in every cell with `mark`, `inset` units smaller than the cell. */
function triangles(rows: readonly string[], mark: string, inset: number): string {
  const side = CELL - 2 * inset;
  return rows
    .flatMap((row, y) =>
      [...row].map((cell, x) =>
        cell === mark
          ? `M${x * CELL + inset} ${(y + 1) * CELL - inset}l${side / 2}-${side} ${side / 2} ${side}z`
          : '',
      ),
    )
    .join('');
}
