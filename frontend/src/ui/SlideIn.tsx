import { type ReactNode, useEffect, useRef } from 'react';
import { onFirstVisible } from '~/lib/viewport';

const DURATION_MS = 500;
const DISTANCE_PX = 100;
/** The visible share of the content at which the motion starts. */
const THRESHOLD = 0.05;

/**
 * Slides its content up when it first comes into view. Content already in view does not move, nor
 * does any with reduced motion or without scripts.
 */
export function SlideIn({ children, className }: { children: ReactNode; className?: string }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    if (element.getBoundingClientRect().top < window.innerHeight) return;
    const slide = element.animate(
      [
        { opacity: 0, transform: `translateY(${DISTANCE_PX}px)` },
        { opacity: 1, transform: 'none' },
      ],
      { duration: DURATION_MS, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)', fill: 'backwards' },
    );
    slide.pause();
    const stopWaiting = onFirstVisible(element, () => slide.play(), { threshold: THRESHOLD });
    const onPrint = () => slide.finish();
    window.addEventListener('beforeprint', onPrint);
    return () => {
      stopWaiting();
      slide.cancel();
      window.removeEventListener('beforeprint', onPrint);
    };
  }, []);
  return (
    <div ref={ref} className={className}>
      {children}
    </div>
  );
}
