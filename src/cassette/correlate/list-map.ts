/** Map from keys to lists of values. */
export class ListMap<Key, Value> extends Map<Key, Value[]> {
  /** Appends a value to the list at `key`. */
  add(key: Key, value: Value): void {
    const list = this.get(key);
    if (list) list.push(value);
    else this.set(key, [value]);
  }
}
