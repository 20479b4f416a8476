import { expect, test } from 'vitest';
import { invitedBy } from './InviteCodeField';

test.each([
  ['?inviteCode=abcd1234', 'ABCD1234'],
  ['?theme=1&inviteCode=ABCD', 'ABCD'],
  ['?inviteCode=abc', ''],
  ['?inviteCode=abcdefgh123456789', ''],
  ['?inviteCode=ab%20cd', ''],
  ['?inviteCode=%3Cscript%3E', ''],
  ['', ''],
])('%j invites with the code %j', (search, code) => {
  expect(invitedBy(search)).toBe(code);
});
