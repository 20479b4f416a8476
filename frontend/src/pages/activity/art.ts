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
  // The palm of the emblem.
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

/** The rows of a campaign's drawing; those of the regular campaign for a kind that has none. */
export function drawingOf(kind = 'regular'): readonly string[] {
  return DRAWINGS[kind] ?? DRAWINGS.regular ?? [];
}
