import styles from './Button.module.css';

/** How much a control asks for: one `primary` a view, `quiet` for the rest. */
export type ButtonLook = 'primary' | 'quiet';

/** The class of a link or button that looks like a button. */
export function buttonClass(look: ButtonLook, size: 'normal' | 'large' = 'normal'): string {
  return [styles.button, styles[look], size === 'large' && styles.large].filter(Boolean).join(' ');
}
