/** State of the suggestion list. */
export interface ListState {
  open: boolean;
  /** The index of the active option; -1 for the typed text. */
  active: number;
}

/** The effect of a key: next state, whether it is handled, and the chosen option. */
export interface KeyEffect extends ListState {
  handled: boolean;
  /** The chosen option. */
  chosen?: number;
}

/**
 * Keyboard behaviour of a combobox with a listbox (ARIA APG): arrows open the list and wrap around,
 * with the typed text between last and first option; Home and End move the caret; Escape closes the
 * list first.
 */
export function onKey(key: string, { open, active }: ListState, count: number): KeyEffect {
  const ignored = { open, active, handled: false };
  if (count === 0) return ignored;
  switch (key) {
    case 'ArrowDown':
      return { open: true, active: open ? next(active, count) : 0, handled: true };
    case 'ArrowUp':
      return { open: true, active: open ? previous(active, count) : count - 1, handled: true };
    case 'Enter':
      return open && active >= 0
        ? { open: false, active: -1, handled: true, chosen: active }
        : { ...ignored, open: false };
    case 'Escape':
      return open ? { open: false, active: -1, handled: true } : ignored;
    case 'Tab':
      return { open: false, active: -1, handled: false };
    default:
      return ignored;
  }
}

function next(active: number, count: number): number {
  return active + 1 < count ? active + 1 : -1;
}

function previous(active: number, count: number): number {
  return active >= 0 ? active - 1 : count - 1;
}
