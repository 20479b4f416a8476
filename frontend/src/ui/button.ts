import styles from './Button.module.css';

/** The emphasis of a control: one `primary` per view, `quiet` for the others. */
export type ButtonLook = 'primary' | 'quiet';

/** The class of a link or button that looks like a button. */
export function buttonClass(look: ButtonLook, size: 'normal' | 'large' = 'normal'): string {
  return [styles.button, styles[look], size === 'large' && styles.large].filter(Boolean).join(' ');
}
