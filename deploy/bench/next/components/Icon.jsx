import { useId } from 'react';
import { ICONS } from '../../page/icons';

export function Icon({ name, className }) {
  const { stroke, fill, flip } = ICONS[name];
  const classes = ['icon-box', flip && 'icon-flip', className].filter(Boolean).join(' ');
  return (
    <svg className={classes} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {stroke && <path className="icon-stroke" d={stroke} />}
      {fill && <path className="icon-fill" d={fill} />}
    </svg>
  );
}

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path className="mark-near" d="M29 3 2.5 12.6l11.3 5.6z" />
      <path className="mark-far" d="M29 3l-9.6 26.5-5.6-11.3z" />
    </svg>
  );
}

/** A row of small triangles, or two of different pitch. */
export function TriangleRow({ rows = 1, className }) {
  const id = useId();
  const y = rows === 2 ? 14 : 0;
  return (
    <svg
      className={`triangles ${className}`}
      height={rows * 14}
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <pattern id={id} width="24" height="14" patternUnits="userSpaceOnUse" y={y}>
          <path d="M0 14 15 0 24 14z" fill="currentcolor" />
        </pattern>
        {rows === 2 && (
          <pattern id={`${id}-far`} width="48" height="28" patternUnits="userSpaceOnUse">
            <path d="M0 28 30 0 48 28z" className="triangles-far" />
          </pattern>
        )}
      </defs>
      {rows === 2 && <rect width="100%" height="28" fill={`url(#${id}-far)`} />}
      <rect y={y} width="100%" height="14" fill={`url(#${id})`} />
    </svg>
  );
}
