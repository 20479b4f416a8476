import { readStored, writeStored } from '~/lib/storage';

/**
 * Apps whose built-in browser cannot open other apps: WeChat, DingTalk, Weibo and QQ, whose
 * standalone browser lacks `QQ/`.
 */
const HOST_APPS = /MicroMessenger\/|DingTalk|__weibo__|Weibo \(|\bQQ\//i;

/** Whether a user agent is that of a host app's built-in browser. */
export function isHostApp(userAgent: string): boolean {
  return HOST_APPS.test(userAgent);
}

const DISMISSED_KEY = 'sahm-guide-dismissed';

/** Whether the visitor dismissed the guide in this browser session. */
export function wasDismissed(): boolean {
  return readStored(DISMISSED_KEY, 'sessionStorage') !== null;
}

/** Without storage the guide is shown again on the next page. */
export function dismiss(): void {
  writeStored(DISMISSED_KEY, true, 'sessionStorage');
}
