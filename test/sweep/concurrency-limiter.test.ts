import { expect, it } from 'vitest';
import { createLimiter, type Slot } from '../../src/sweep/concurrency-limiter.ts';

/** Runs that ask for a place, and those that have one by now. */
function asking(room: Parameters<typeof createLimiter>[0], count: number) {
  const enter = createLimiter(room);
  const places: Slot[] = [];
  const admitted = Promise.all(Array.from({ length: count }, async () => places.push(await enter())));
  const here = async () => {
    for (let turns = 0; turns < 10; turns++) await undefined;
    return places.length;
  };
  return { places, here, admitted };
}

it('so many keep a processor busy, and who waits gives way to the next', async () => {
  const { places, here } = asking({ busy: 2, all: 4 }, 9);
  expect(await here()).toBe(2);
  places[0]!.rest();
  expect(await here()).toBe(3);
  places[0]!.rest();
  expect(await here()).toBe(3);
  places[1]!.rest();
  expect(await here()).toBe(4);
  places[2]!.rest();
  expect(await here()).toBe(4);
});

it('who is over gives way, whether it waited or not, once', async () => {
  const { places, here } = asking({ busy: 1, all: 2 }, 9);
  places[0] ?? (await here());
  places[0]!.rest();
  expect(await here()).toBe(2);
  places[0]!.leave();
  places[0]!.leave();
  expect(await here()).toBe(2);
  places[1]!.leave();
  expect(await here()).toBe(3);
});

it('all have their turn', async () => {
  const { places, here, admitted } = asking({ busy: 2, all: 8 }, 20);
  for (let done = 0; done < 20; done++) {
    await here();
    places[done]!.leave();
  }
  await admitted;
  expect(places.length).toBe(20);
});
