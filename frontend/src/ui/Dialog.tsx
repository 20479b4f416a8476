import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react';
import styles from './Dialog.module.css';

interface DialogProps extends ComponentProps<'dialog'> {
  /** Whether following a link in it closes it. */
  closesOnLink?: boolean;
}

/**
 * A modal dialog. It is opened by `open`, by `showModal` of its `ref`, or by a button's `command`,
 * and closed by Escape, a form with `method="dialog"` or a press on its backdrop. The browser keeps
 * the focus inside and restores it. The dialog has no padding, so that a press on its content never
 * counts as a press on the backdrop.
 */
export function Dialog({
  ref,
  open = false,
  closesOnLink = false,
  className,
  ...rest
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useImperativeHandle(ref, () => dialog.current as HTMLDialogElement, []);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
  }, [open]);
  useEffect(() => {
    const element = dialog.current;
    const onClick = ({ target }: MouseEvent) => {
      const isLink = closesOnLink && target instanceof Element && target.closest('a');
      // A press on the backdrop targets the dialog element itself.
      if (isLink || target === element) element?.close();
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [closesOnLink]);
  return (
    <dialog
      {...rest}
      ref={dialog}
      className={className ? `${styles.dialog} ${className}` : styles.dialog}
    />
  );
}
