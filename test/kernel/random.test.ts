import { expect, it } from 'vitest';
import { anySeed, seededRandom, unguessable } from '../../src/kernel/random.ts';

const draw = (seed: number, stream?: number, count = 5) => {
  const random = seededRandom(seed, stream);
  return Array.from({ length: count }, random);
};

it('is the same sequence for the same seed, on every machine', () => {
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7).map((value) => value.toFixed(6))).toMatchInlineSnapshot(`
    [
      "0.516342",
      "0.320567",
      "0.660971",
      "0.648469",
      "0.770599",
    ]
  `);
});

it('is another for another seed or stream', () => {
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7, 0)).not.toEqual(draw(7, 1));
});

it('falls evenly, whatever the seed', () => {
  for (let seed = 0; seed < 20; seed++) {
    const tenths = new Array<number>(10).fill(0);
    for (const value of draw(seed, seed, 10_000)) tenths[Math.floor(value * 10)]!++;
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  }
});

it('gives a name that is not given again', () => {
  const names = Array.from({ length: 1_000 }, unguessable);
  expect(new Set(names).size).toBe(1_000);
  for (const name of names) expect(name).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
});

it('gives a seed that can be typed, and gives the same sequence again', () => {
  const seeds = Array.from({ length: 1_000 }, anySeed);
  expect(seeds.filter((seed) => !Number.isInteger(seed) || seed < 0 || seed >= 1_000_000)).toEqual([]);
  expect(new Set(seeds).size).toBeGreaterThan(900);
});
