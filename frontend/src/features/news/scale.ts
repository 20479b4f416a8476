/** Names made from a picture's content have one size; so have drawings. */
const ONE_SIZE = /^\/media\/[0-9a-f]{16}\.|\.svg$/;

/**
 * `srcset` of a picture that has larger files beside it, by the suffixes of specification §9: none
 * below a pixel ratio of 1, `@2x` up to 2, `@3x` above. Nothing for a picture of one size.
 */
export function scaledSet(path: string): string | undefined {
  const dot = path.lastIndexOf('.');
  if (ONE_SIZE.test(path) || dot < path.lastIndexOf('/')) return undefined;
  const at = (suffix: string) => path.slice(0, dot) + suffix + path.slice(dot);
  // A browser takes the first that is not below its own ratio.
  return `${path} 0.99x, ${at('@2x')} 2x, ${at('@3x')} 3x`;
}
