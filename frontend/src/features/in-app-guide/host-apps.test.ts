import { expect, test } from 'vitest';
import { isHostApp } from './host-apps';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15';
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/140.0.0.0';

test.each([
  [`${IPHONE} Mobile/15E148 MicroMessenger/8.0.49(0x18003128) NetType/WIFI`, true],
  [`${ANDROID} Mobile Safari/537.36 MMWEBID/1 MicroMessenger/8.0.50.2701`, true],
  [`${IPHONE} Mobile/15E148 QQ/9.0.60.616 V1_IPH_SQ`, true],
  [`${ANDROID} MQQBrowser/6.2 TBS/046291 Mobile Safari/537.36 V1_AND_SQ QQ/9.0.0.14110`, true],
  [`${ANDROID} MQQBrowser/15.0 Mobile Safari/537.36`, false],
  [`${IPHONE} Mobile/15E148 AliApp(DingTalk/7.5.10) com.laiwang.DingTalk/1`, true],
  [`${IPHONE} Mobile/15E148 Weibo (iPhone15,2__weibo__14.5.0__iphone__os17.4)`, true],
  [`${ANDROID} Mobile Safari/537.36`, false],
  [`${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1`, false],
  ['', false],
])('%s: %s', (userAgent, is) => {
  expect(isHostApp(userAgent)).toBe(is);
});
