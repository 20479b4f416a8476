import { useEffect, useRef } from 'react';
import { useStore } from '~/lib/store';
import { dismissToast, type Toast, toastStore } from '~/lib/toasts';
import { Icon } from '~/ui/Icon';
import styles from './Toaster.module.css';

/** How long a toast stays, unless the pointer is over it. */
const TOAST_DURATION_MS = 5_000;

/** Shows one toast at a time above everything, and announces it to screen readers. */
export function Toaster() {
  const toast = useStore(toastStore, (toast) => toast, undefined);
  return (
    <div role="status" aria-live="polite">
      {toast && <ToastBox key={toast.id} toast={toast} />}
    </div>
  );
}

function ToastBox({ toast: { kind, text } }: { toast: Toast }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In the top layer, so that an open dialog does not cover it.
    box.current?.showPopover?.();
    let timer = window.setTimeout(dismissToast, TOAST_DURATION_MS);
    const element = box.current;
    const hold = () => window.clearTimeout(timer);
    const resume = () => {
      timer = window.setTimeout(dismissToast, TOAST_DURATION_MS);
    };
    element?.addEventListener('pointerenter', hold);
    element?.addEventListener('pointerleave', resume);
    return () => {
      window.clearTimeout(timer);
      element?.removeEventListener('pointerenter', hold);
      element?.removeEventListener('pointerleave', resume);
    };
  }, []);
  return (
    <div ref={box} popover="manual" className={styles.toast} data-kind={kind}>
      <Icon name={kind === 'success' ? 'check' : 'alert'} />
      <p>{text}</p>
    </div>
  );
}
