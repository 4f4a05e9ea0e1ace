/** Chance that is the same every time: a generator of 32 bits (mulberry32) with a seed. */
export function chanceOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max) => Math.floor(next() * max);
  const letters = (alphabet, length) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
  return {
    below,
    letters,
    one: (list) => list[below(list.length)],
    hex: (length) => letters('0123456789abcdef', length),
    uuid: () => [8, 4, 4, 4, 12].map((length) => letters('0123456789abcdef', length)).join('-'),
  };
}
