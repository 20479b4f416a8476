const DISMISSED = 'sahm-guide-dismissed';

/** Whether the reader chose to stay, in this browser session. */
export function wasDismissed(): boolean {
  try {
    return window.sessionStorage.getItem(DISMISSED) !== null;
  } catch {
    return false;
  }
}

export function dismiss(): void {
  try {
    window.sessionStorage.setItem(DISMISSED, '1');
  } catch {
    // Then it is shown again on the next page.
  }
}
