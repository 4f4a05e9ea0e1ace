/**
 * Returns a part of a list that still `holds` and from which no item can be taken away: delta debugging. The last items
 * are tried first. The whole list is known to hold.
 */
export async function minimizeList<Item>(
  items: readonly Item[],
  holds: (kept: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  if (items.length === 0 || (await holds([]))) return [];
  let kept = items;
  let size = Math.ceil(items.length / 2);
  for (;;) {
    const before = kept.length;
    for (let end = kept.length; end > 0; end -= size) {
      const fewer = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)];
      if (fewer.length > 0 && (await holds(fewer))) kept = fewer;
    }
    // The removal of a later item may make an earlier item removable.
    if (size === 1 && kept.length === before) return kept;
    size = Math.ceil(size / 2);
  }
}
