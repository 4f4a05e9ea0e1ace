/** How many runs there may be at once. */
export interface Limits {
  /** Maximum number of runs before their fault, which keep a processor busy. */
  busy: number;
  /** Maximum number of all runs, with those that wait after their fault. */
  all: number;
}

/** Slot of one run. Each release may be called repeatedly. */
export interface Slot {
  /** From here on the run mostly waits. */
  rest(): void;
  /** The run is over. */
  leave(): void;
}

/** Gives places to runs in the order in which they ask, as soon as there is room. */
export function createLimiter({ busy, all }: Limits): () => Promise<Slot> {
  const asking: (() => void)[] = [];
  let [busyNow, allNow] = [0, 0];
  const admit = () => {
    while (busyNow < busy && allNow < all && asking.length > 0) {
      busyNow++;
      allNow++;
      asking.shift()!();
    }
  };
  const place = (): Slot => {
    let [isBusy, isHere] = [true, true];
    const rest = () => {
      if (isBusy) busyNow--;
      isBusy = false;
      admit();
    };
    const leave = () => {
      if (isHere) allNow--;
      isHere = false;
      rest();
    };
    return { rest, leave };
  };
  return () =>
    new Promise((resolve) => {
      asking.push(() => resolve(place()));
      admit();
    });
}
