/** Wider windows get the PC layout; style sheets use the same width. */
export const PC_BREAKPOINT_PX = 768;

export function isPc(width: number): boolean {
  return width > PC_BREAKPOINT_PX;
}

/** Calls back once when an element comes into view. Returns a function that stops waiting. */
export function onFirstVisible(
  element: Element | null,
  seen: () => void,
  options?: IntersectionObserverInit,
): () => void {
  if (!element) return () => {};
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    seen();
  }, options);
  observer.observe(element);
  return () => observer.disconnect();
}
