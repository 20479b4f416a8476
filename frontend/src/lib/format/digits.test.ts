import { expect, test } from 'vitest';
import { westernDigits } from './digits';

test.each([
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['5٥0-٠', '550-0'],
  ['سهم', 'سهم'],
  ['', ''],
])('%s is %s', (text, western) => {
  expect(westernDigits(text)).toBe(western);
});
