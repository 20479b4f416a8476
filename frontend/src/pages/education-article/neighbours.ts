/** What stands before and after an item in a list; nothing beside one that is not in it. */
export function neighboursOf<T extends { id?: string }>(
  items: readonly T[],
  id: string,
): { previous?: T | undefined; next?: T | undefined } {
  const at = items.findIndex((item) => item.id === id);
  return at < 0 ? {} : { previous: items[at - 1], next: items[at + 1] };
}
