/**
 * The outlines of the logo in a box of 32 × 32: two arrow-heads, each folded from two triangles
 * that share an edge at 45 degrees.
 */
export const MARK_NEAR = 'M29 3H11l9 9zM16.5 15.5H4l6.25 6.25z';
export const MARK_FAR = 'M29 3v18l-9-9zM16.5 15.5V28l-6.25-6.25z';
