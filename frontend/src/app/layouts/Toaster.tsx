import { useEffect, useRef } from 'react';
import { useStore } from '~/lib/store';
import { dismissToast, type Toast, toastStore } from '~/lib/toasts';
import { Icon } from '~/ui/Icon';
import styles from './Toaster.module.css';

/** How long a message stays, unless it is pointed at. */
const TOAST_DURATION_MS = 5_000;

/** The one message that is shown now, above everything, said to screen readers too. */
export function Toaster() {
  const toast = useStore(toastStore, (toast) => toast, undefined);
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {toast && <ToastBox key={toast.id} toast={toast} />}
    </div>
  );
}

function ToastBox({ toast: { kind, text } }: { toast: Toast }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The top layer, so that an open dialog does not hide it.
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
