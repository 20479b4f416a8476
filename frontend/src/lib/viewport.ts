/** Windows wider than this are a PC's; style sheets change there too. */
export const PC_BREAKPOINT_PX = 768;

/** Whether a window of this width is a PC's. */
export function isPc(width: number): boolean {
  return width > PC_BREAKPOINT_PX;
}
