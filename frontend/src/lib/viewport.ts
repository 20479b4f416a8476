import { PC_BREAKPOINT } from '~/lib/constants';

/** Whether a window of this width is a PC's. */
export function isPc(width: number): boolean {
  return width > PC_BREAKPOINT;
}
