import { expect, test } from 'vitest';
import { differences } from './differences.ts';

const TITLE = '390 h1 News 16,96 358×44 0e1b33/- f4ede1/-';

test.each([
  { name: 'the same', after: TITLE, alike: true },
  { name: 'rounded otherwise', after: TITLE.replace('16,96', '18,94'), alike: true },
  { name: 'moved by 3 px', after: TITLE.replace('16,96', '16,99'), alike: false },
  { name: 'wider by 3 px', after: TITLE.replace('358×', '361×'), alike: false },
  { name: 'with other words', after: TITLE.replace('News', 'Views'), alike: false },
  { name: 'in another colour in the dark', after: TITLE.replace('f4ede1', 'ffffff'), alike: false },
])('a part $name is alike: $alike', ({ after, alike }) => {
  expect(differences([TITLE], [after])).toEqual(alike ? [] : [`  - ${TITLE}`, `  + ${after}`]);
});

test('parts that come and go are named', () => {
  expect(differences([TITLE], [])).toEqual([`  - ${TITLE}`]);
  expect(differences([], [TITLE])).toEqual([`  + ${TITLE}`]);
});
