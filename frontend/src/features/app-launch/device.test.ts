import { expect, test } from 'vitest';
import { deviceOf, storeOf } from './device';

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 0, 'other'],
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/140.0.0.0 Mobile', 5, 'android'],
  ['Mozilla/5.0 (Linux; Android 10; HUAWEI ELS-NX9) HMSCore 6.13', 5, 'huawei'],
  ['Mozilla/5.0 (Phone; OpenHarmony 5.0) HarmonyOS Mobile', 5, 'huawei'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0', 10, 'other'],
  ['', 0, 'other'],
])('%s with %i touch points is %s', (userAgent, touchPoints, device) => {
  expect(deviceOf(userAgent, touchPoints)).toBe(device);
});

const stores = [
  { id: 'ios', url: 'https://apps.apple.com/sa/' },
  { id: 'android', url: 'https://play.google.com/store/apps' },
  { id: 'one-link', url: 'https://sahm.example/get' },
];

test.each([
  ['ios', stores, 'https://apps.apple.com/sa/'],
  ['huawei', stores, 'https://play.google.com/store/apps'],
  ['huawei', [...stores, { id: 'huawei', url: 'https://h.example/' }], 'https://h.example/'],
  ['android', [], undefined],
  ['other', stores, undefined],
] as const)('%s goes to its store', (device, known, url) => {
  expect(storeOf(known, device)).toBe(url);
});
