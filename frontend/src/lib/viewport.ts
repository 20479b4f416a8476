/** Wider windows get the PC layout; style sheets use the same width. */
export const PC_BREAKPOINT_PX = 768;

export function isPc(width: number): boolean {
  return width > PC_BREAKPOINT_PX;
}
