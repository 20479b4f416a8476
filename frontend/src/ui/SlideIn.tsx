import { type ReactNode, useEffect, useRef } from 'react';
import { SLIDE_IN_DISTANCE, SLIDE_IN_DURATION, SLIDE_IN_THRESHOLD } from '~/lib/constants';

/**
 * Slides its content up when it first comes into view (500 ms, 100 px, threshold * 0.05). Content in view already, readers who want less motion and pages without scripts see it
 * stand still.
 */
export function SlideIn({ children, className }: { children: ReactNode; className?: string }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    if (element.getBoundingClientRect().top < window.innerHeight) return;
    const slide = element.animate(
      [
        { opacity: 0, transform: `translateY(${SLIDE_IN_DISTANCE}px)` },
        { opacity: 1, transform: 'none' },
      ],
      { duration: SLIDE_IN_DURATION, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)', fill: 'backwards' },
    );
    slide.pause();
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        slide.play();
        observer.disconnect();
      },
      { threshold: SLIDE_IN_THRESHOLD },
    );
    observer.observe(element);
    const onPrint = () => slide.finish();
    window.addEventListener('beforeprint', onPrint);
    return () => {
      observer.disconnect();
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
