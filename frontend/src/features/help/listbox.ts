/** What the search box's list of suggestions is doing. */
export interface ListState {
  open: boolean;
  /** The option under the keyboard's cursor; -1: the typed text itself. */
  active: number;
}

/** What a key does to the list: its next state, and whether the key is used up or chooses. */
export interface KeyEffect extends ListState {
  handled: boolean;
  /** The option that was chosen. */
  chosen?: number;
}

/**
 * The keyboard of a combobox with a listbox (ARIA APG): arrows open and walk round, the text
 * between the last and the first option; Home and End stay with the text; Escape closes first.
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
