import { expect, test } from 'vitest';
import { formatPhone, westernDigits } from './digits';

test.each([
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['5٥0-٠', '550-0'],
  ['سهم', 'سهم'],
  ['', ''],
])('%s is %s', (text, western) => {
  expect(westernDigits(text)).toBe(western);
});

test.each([
  ['+966110000000', '+966 11 000 0000'],
  ['+966512345678', '+966 51 234 5678'],
  ['+9668001234567', '+9668001234567'],
  ['+12025550123', '+12025550123'],
  ['+966 11 000 0000', '+966 11 000 0000'],
  ['920000000', '920000000'],
])('%s is read as %s', (number, read) => {
  expect(formatPhone(number)).toBe(read);
});
