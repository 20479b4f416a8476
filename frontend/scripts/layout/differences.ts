/** Pixels by which Chromium versions round text lengths differently. */
const TOLERANCE_PX = 2;

const PART = /^(?<what>.*) (?<x>-?\d+),(?<y>-?\d+) (?<width>\d+)×(?<height>\d+) (?<colours>.*)$/;

/** The differences between `before` and `after` as `-` and `+` lines. Boxes may differ by 2 px. */
export function differences(before: readonly string[], after: readonly string[]): string[] {
  const count = Math.max(before.length, after.length);
  return Array.from({ length: count }, (_, i) => [before[i], after[i]] as const)
    .filter(([was, is]) => !isAlike(was, is))
    .flatMap(([was, is]) => [was && `  - ${was}`, is && `  + ${is}`].filter((line) => !!line))
    .map(String);
}

function isAlike(was: string | undefined, is: string | undefined): boolean {
  if (was === is) return true;
  const [old, now] = [PART.exec(was ?? '')?.groups, PART.exec(is ?? '')?.groups];
  if (!(old && now) || old.what !== now.what || old.colours !== now.colours) return false;
  return ['x', 'y', 'width', 'height'].every(
    (side) => Math.abs(Number(old[side]) - Number(now[side])) <= TOLERANCE_PX,
  );
}
