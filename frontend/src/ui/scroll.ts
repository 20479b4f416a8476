/** Tells of scrolling and resizing, at most once a frame. Returns what ends it. */
export function onScroll(changed: () => void): () => void {
  let frame = 0;
  const soon = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      changed();
    });
  };
  window.addEventListener('scroll', soon, { passive: true });
  window.addEventListener('resize', soon, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    window.removeEventListener('scroll', soon);
    window.removeEventListener('resize', soon);
  };
}
