import { expect, test } from 'vitest';
import { isOnOrigins } from './origins';

const LIVE = ['https://sahm.example', 'https://go.example'];
const DEV = ['https://sahm.example', 'http://sahm.example'];

test.each([
  ['https://sahm.example/get', LIVE, true],
  ['https://app.go.example:8443/x', LIVE, true],
  ['https://GO.example', LIVE, true],
  ['https://evilgo.example/x', LIVE, false],
  ['https://go.example.evil/x', LIVE, false],
  ['http://go.example/x', LIVE, false],
  ['http://app.sahm.example/x', DEV, true],
  ['ftp://sahm.example/x', DEV, false],
  ['https://user:secret@go.example/x', LIVE, false],
  ['https://go.example/x', [], false],
])('%s on %j: %s', (url, origins, expected) => {
  expect(isOnOrigins(new URL(url), origins)).toBe(expected);
});
