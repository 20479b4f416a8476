/** Where a reader goes on in a course: the first lesson not read, the first of all when none is left. */
export function nextLesson<T extends { id?: string }>(
  lessons: readonly T[],
  read: ReadonlySet<string>,
): { lesson: T; number: number; begun: boolean } | undefined {
  const open = lessons.findIndex(({ id = '' }) => !read.has(id));
  const at = Math.max(0, open);
  const lesson = lessons[at];
  return lesson && { lesson, number: at + 1, begun: at > 0 };
}
