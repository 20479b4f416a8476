import { useEffect, useRef, useState } from 'react';
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
  const [isHeld, setIsHeld] = useState(false);
  // In the top layer, so that an open dialog does not cover it.
  useEffect(() => box.current?.showPopover?.(), []);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(dismissToast, TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  return (
    <div
      ref={box}
      popover="manual"
      className={styles.toast}
      data-kind={kind}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
    >
      <Icon name={kind === 'success' ? 'check' : 'alert'} />
      <p>{text}</p>
    </div>
  );
}
