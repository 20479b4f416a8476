import { useEffect, useRef, useSyncExternalStore } from 'react';
import { currentNotice, hush, type Notice, onNotice } from '~/lib/notices';
import { Icon } from '~/ui/Icon';
import styles from './Toaster.module.css';

/** How long a message stays, unless it is pointed at. */
const SHOWN = 5_000;

/** The one message that is shown now, above everything, said to screen readers too. */
export function Toaster() {
  const notice = useSyncExternalStore(onNotice, currentNotice, () => undefined);
  return (
    <div className={styles.place} role="status" aria-live="polite">
      {notice && <Toast key={notice.id} notice={notice} />}
    </div>
  );
}

function Toast({ notice: { kind, text } }: { notice: Notice }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The top layer, so that an open dialog does not hide it.
    box.current?.showPopover?.();
    let timer = window.setTimeout(hush, SHOWN);
    const element = box.current;
    const hold = () => window.clearTimeout(timer);
    const resume = () => {
      timer = window.setTimeout(hush, SHOWN);
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
