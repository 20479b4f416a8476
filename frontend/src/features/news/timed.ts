/** Whether something timed is on: strictly between its begin and its end. */
export function isActive(
  { beginTime = 0, endTime = 0 }: { beginTime?: number; endTime?: number },
  now: number,
): boolean {
  return beginTime < now && now < endTime;
}
