import type { ComponentProps } from 'react';
import type { ImageJson } from '~/gen/sahm/content/v1/news_pb';

/**
 * An image from the content service at the size for the screen's pixel ratio: the plain file below
 * 1, `@2x` up to 2, `@3x` above. Uses media queries, because browsers differ in how they choose
 * from a `srcset`.
 */
export function ScaledImage({
  image: { path, path2x, path3x, width, height },
  alt,
  ...props
}: { image: ImageJson; alt: string } & Pick<
  ComponentProps<'img'>,
  'className' | 'loading' | 'fetchPriority'
>) {
  const plain = (
    <img
      src={path}
      alt={alt}
      width={width || undefined}
      height={height || undefined}
      decoding="async"
      {...props}
    />
  );
  if (!path2x && !path3x) return plain;
  return (
    <picture className="contents">
      {path3x && <source media="(min-resolution: 2.001dppx)" srcSet={path3x} />}
      {path2x && <source media="(min-resolution: 1dppx)" srcSet={path2x} />}
      {plain}
    </picture>
  );
}
