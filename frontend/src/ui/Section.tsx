import type { ComponentProps, ElementType } from 'react';
import styles from './Section.module.css';

type Tag = 'article' | 'aside' | 'div' | 'dl' | 'footer' | 'header' | 'section';

/**
 * A region as wide as the page's content. `night` regions are dark in both themes and as wide as
 * their parent.
 */
export function Section<T extends Tag = 'section'>({
  as,
  night = false,
  className,
  ...rest
}: { as?: T; night?: boolean } & ComponentProps<NoInfer<T>>) {
  const Element = (as ?? 'section') as ElementType;
  const base = night ? styles.night : styles.inner;
  return <Element {...rest} className={className ? `${base} ${className}` : base} />;
}
