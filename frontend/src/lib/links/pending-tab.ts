/** A tab that is opened before its address is known. */
export interface PendingTab {
  show(url: string): void;
  close(): void;
}

/**
 * Opens a tab within the click, because browsers block tabs that are opened after a response. The
 * tab shows `waiting` until it gets an address. If the browser opens no tab, the address opens in
 * the current one.
 */
export function openPendingTab(waiting: string): PendingTab {
  const tab = window.open('', '_blank');
  if (tab) {
    // The feature `noopener` would return no handle.
    tab.opener = null;
    tab.document.title = waiting;
    tab.document.body.textContent = waiting;
  }
  return {
    show: (url) => (tab?.location ?? window.location).replace(url),
    close: () => tab?.close(),
  };
}
