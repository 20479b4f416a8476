/** A tab that is open before its address is known. */
export interface PendingTab {
  show(url: string): void;
  close(): void;
}

/**
 * Opens a tab within a click, because browsers block one that is opened after the answer of a call.
 * The tab says `waiting` until it is shown an address. Where the browser opens none, the address is
 * shown in this tab.
 */
export function openPendingTab(waiting: string): PendingTab {
  const tab = window.open('', '_blank');
  if (tab) {
    // The feature `noopener` would give no handle.
    tab.opener = null;
    tab.document.title = waiting;
    tab.document.body.textContent = waiting;
  }
  return {
    show: (url) => (tab?.location ?? window.location).replace(url),
    close: () => tab?.close(),
  };
}
