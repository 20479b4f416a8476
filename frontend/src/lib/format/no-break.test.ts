import { expect, test } from 'vitest';
import { keepTogether } from './no-break';

test.each([
  { text: 'SAR 3.00 a share, at least USD 1.99', kept: 'SAR_3.00 a share, at least USD_1.99' },
  { text: '3.00 ريالات و20 سنتًا', kept: '3.00_ريالات و20_سنتًا' },
  { text: '1,000 ريال أو 300 دولار', kept: '1,000_ريال أو 300_دولار' },
  { text: 'between 500 KB and 5 MB each', kept: 'between 500_KB and 5_MB each' },
  { text: 'حتى 5 ميجابايت', kept: 'حتى 5_ميجابايت' },
  { text: 'من 9:30 صباحًا إلى 5:00 مساءً', kept: 'من 9:30_صباحًا إلى 5:00_مساءً' },
  { text: 'بين 3:00 و3:20 عصرًا', kept: 'بين 3:00 و3:20_عصرًا' },
  { text: 'Sunday 1 November 2026', kept: 'Sunday 1_November 2026' },
  { text: 'الخميس 26 نوفمبر 2026', kept: 'الخميس 26_نوفمبر 2026' },
  { text: 'SPDR S&P 500 ETF', kept: 'SPDR S&P_500 ETF' },
  { text: 'إس بي دي آر إس آند بي 500', kept: 'إس بي دي آر إس_آند_بي_500' },
  // Around an inserted value.
  { text: 'Deposit SAR ', kept: 'Deposit SAR_' },
  { text: ' ريال في السنة', kept: '_ريال في السنة' },
  // Nothing to keep together.
  { text: '3 shares in SAR terms', kept: '3 shares in SAR terms' },
  { text: 'في 2026 مايوز', kept: 'في 2026 مايوز' },
  { text: 'عملة الريال', kept: 'عملة الريال' },
])('$text', ({ text, kept }) => {
  expect(keepTogether(text).replaceAll('\u00a0', '_')).toBe(kept);
  expect(keepTogether(keepTogether(text))).toBe(keepTogether(text));
});
