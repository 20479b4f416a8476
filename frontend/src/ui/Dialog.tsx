import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react';
import styles from './Dialog.module.css';

interface DialogProps extends ComponentProps<'dialog'> {
  /** Whether following a link in it closes it. */
  closesOnLink?: boolean;
}

/**
 * A modal dialog. It opens while `open` is set, with `showModal` of its `ref`, or with the command of a
 * button. Escape, a form of method `dialog` in it and a press on its backdrop close it; the browser
 * keeps the focus inside and returns it. The dialog has no padding, so that a press on its content is
 * not one on the backdrop.
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
      // A press on the backdrop is one on the dialog itself.
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
