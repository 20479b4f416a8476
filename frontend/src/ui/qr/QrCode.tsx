import { type ReactNode, useEffect, useRef, useState } from 'react';
import { onFirstVisible, PC_BREAKPOINT_PX } from '~/lib/viewport';
import type { Modules } from './modules';
import styles from './QrCode.module.css';

/**
 * A QR code for PCs. The encoder is loaded when the box comes into view; until then, and on phones,
 * the box shows `children`. The caption is shown with the code only.
 */
export function QrCode({
  text,
  label,
  caption,
  children,
}: {
  text: string;
  label: string;
  caption: string;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Modules>();
  useEffect(() => {
    if (!matchMedia(`(width > ${PC_BREAKPOINT_PX}px)`).matches) return;
    const draw = () =>
      // Without the encoder the box keeps its content.
      import('./modules').then(({ modulesOf }) => setDrawn(modulesOf(text))).catch(() => {});
    return onFirstVisible(box.current, draw, { rootMargin: '200px' });
  }, [text]);
  return (
    <figure className={styles.code}>
      <div ref={box} className={styles.box} data-drawn={drawn && ''}>
        {drawn ? (
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${drawn.size} ${drawn.size}`}
            shapeRendering="crispEdges"
          >
            <path d={drawn.path} className={styles.modules} />
          </svg>
        ) : (
          children
        )}
      </div>
      <figcaption className={styles.caption} data-drawn={drawn && ''}>
        {caption}
      </figcaption>
    </figure>
  );
}
