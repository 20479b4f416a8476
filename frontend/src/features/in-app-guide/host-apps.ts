/** Apps whose built-in browser does not let pages open other apps. */
export type HostApp = 'wechat' | 'qq' | 'dingtalk' | 'weibo';

const MARKS: readonly (readonly [HostApp, RegExp])[] = [
  ['wechat', /MicroMessenger\//i],
  ['dingtalk', /DingTalk/i],
  ['weibo', /__weibo__|Weibo \(/i],
  // QQ's browser is a browser of its own; inside QQ there is `QQ/` besides.
  ['qq', /\bQQ\//i],
];

/** The app whose built-in browser this is, by its user agent. */
export function hostAppOf(userAgent: string): HostApp | undefined {
  return MARKS.find(([, mark]) => mark.test(userAgent))?.[0];
}

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
