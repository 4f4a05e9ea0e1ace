/** Limits of concurrent runs. */
export interface Limits {
  /** Maximum number of runs whose fault has not happened. They keep a processor busy. */
  busy: number;
  /** Maximum number of runs, including runs that wait after their fault. */
  all: number;
}

/** Slot of one run. Each release may be called repeatedly. */
export interface Slot {
  /** Called when the fault has happened: the run mostly waits from now on. */
  rest(): void;
  /** Called at the end of the run. */
  leave(): void;
}

/**
 * Returns a function that resolves with a slot as soon as the limits allow another run. Slots are given in order of the
 * calls.
 */
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
