/** What comes one by one. */
export class Later<One> {
  readonly all: One[] = [];
  #watchers = new Set<() => void>();

  add(one: One): void {
    this.all.push(one);
    for (const look of [...this.#watchers]) look();
  }

  having(count: number): Promise<One[]> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.all.length < count) return;
        this.#watchers.delete(look);
        resolve(this.all);
      };
      this.#watchers.add(look);
      look();
    });
  }
}
