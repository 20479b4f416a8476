import { type RefObject, useEffect } from 'react';

/**
 * Menu behaviour for `details`: Escape closes the open one and returns focus to its summary; a
 * click or focus outside, or following a link inside, closes it.
 */
export function useDisclosures(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const opened = () => element.querySelector<HTMLDetailsElement>('details[open]');
    const close = (details: HTMLDetailsElement | null) => {
      if (details) details.open = false;
    };
    const onKey = (event: KeyboardEvent) => {
      const details = opened();
      if (event.key !== 'Escape' || !details) return;
      close(details);
      if (details.contains(document.activeElement)) details.querySelector('summary')?.focus();
    };
    const onOutside = (event: Event) => {
      const details = opened();
      if (details && event.target instanceof Node && !details.contains(event.target))
        close(details);
    };
    const onFollow = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('a')) close(opened());
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('keydown', onKey, { signal });
    document.addEventListener('pointerdown', onOutside, { signal });
    document.addEventListener('focusin', onOutside, { signal });
    element.addEventListener('click', onFollow, { signal });
    return () => listening.abort();
  }, [root]);
}
