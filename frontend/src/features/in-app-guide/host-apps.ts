import { readStored, writeStored } from '~/lib/storage';

/** Apps whose built-in browser cannot open other apps. */
export type HostApp = 'wechat' | 'qq' | 'dingtalk' | 'weibo';

const MARKS: readonly (readonly [HostApp, RegExp])[] = [
  ['wechat', /MicroMessenger\//i],
  ['dingtalk', /DingTalk/i],
  ['weibo', /__weibo__|Weibo \(/i],
  // QQ's standalone browser lacks `QQ/`.
  ['qq', /\bQQ\//i],
];

/** The app whose built-in browser has this user agent. */
export function hostAppOf(userAgent: string): HostApp | undefined {
  return MARKS.find(([, mark]) => mark.test(userAgent))?.[0];
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
