/** Random number generator for the range [0, 1). Equal seeds give equal sequences on every machine. */
export type Random = () => number;

/**
 * Returns a generator of random numbers with a separate sequence for each `seed` and `stream`. Drawing from one stream
 * never shifts another. The algorithm is mulberry32, seeded with a hash of both numbers. It chooses faults well and is
 * not secure.
 */
export function seededRandom(seed: number, stream = 0): Random {
  let state = mix(mix(seed | 0) ^ (stream * 0x9e3779b1));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** Mixes the bits of a 32-bit integer. Returns an integer from 0 to 2^32 - 1. */
function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), value | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return (bits ^ (bits >>> 14)) >>> 0;
}

/** Returns a random UUID, for names that must not be guessed. */
export function unguessable(): string {
  return crypto.randomUUID();
}

/** Returns a random seed. Print it, so that the run can be repeated. */
export function anySeed(): number {
  return Math.floor(Math.random() * 1_000_000);
}
