/** The drawings of campaigns, in triangles, by the campaign's kind. */
const DRAWINGS: Readonly<Record<string, readonly string[]>> = {
  // Steps that rise.
  regular: ['........#', '.......##', '......###', '.....####', '....#####', '...######'],
  // The crescent.
  eidAlAdha: [
    '...####..',
    '..###....',
    '.###.....',
    '.##......',
    '.###....#',
    '..######.',
    '...####..',
  ],
  // The palm tree of the emblem.
  nationalDay: [
    '..##...##..',
    '.####.####.',
    '#..#####..#',
    '.##..#..##.',
    '.#...#...#.',
    '.....#.....',
    '....###....',
  ],
};

/** The illustration of a campaign; that of the regular campaign for unknown kinds. */
export function drawingOf(kind = 'regular'): readonly string[] {
  return DRAWINGS[kind] ?? DRAWINGS.regular ?? [];
}
