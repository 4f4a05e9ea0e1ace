import { describe, expect, it } from 'vitest';
import { BodyMemory } from '../../../../src/transports/http/http1/body-memory.ts';

/** Memory of 400 bytes, with holders that give up half of theirs. */
function holders(count: number) {
  const memory = new BodyMemory(100);
  const held = Array<number>(count).fill(0);
  const shares = held.map((_, at) =>
    memory.share(() => {
      held[at] = Math.floor(held[at]! / 2);
      return held[at]!;
    }),
  );
  const hold = (at: number, bytes: number) => {
    held[at] = bytes;
    shares[at]!.hold(bytes);
  };
  return { memory, held, hold };
}

describe('the memory of all bodies', () => {
  it('is four times the longest body, and holds as much', () => {
    const { memory, held, hold } = holders(4);
    for (let at = 0; at < 4; at++) hold(at, 100);
    expect([memory.bytesMax, memory.held, held]).toEqual([400, 400, [100, 100, 100, 100]]);
  });

  it('has the largest give up, and no small one', () => {
    const { memory, held, hold } = holders(3);
    hold(0, 50);
    hold(1, 300);
    hold(2, 60);
    expect([memory.held, held]).toEqual([260, [50, 150, 60]]);
  });

  it('has the one that grows give up beside equal ones', () => {
    const { held, hold } = holders(5);
    for (let at = 0; at < 5; at++) hold(at, 100);
    // It gives up half, and then an equal one the rest.
    expect(held[4]).toBe(50);
    expect(held.toSorted((a, b) => a - b)).toEqual([50, 50, 100, 100, 100]);
  });

  it('never exceeds its limit, however many hold something', () => {
    const { memory, hold } = holders(1_000);
    for (let round = 1; round <= 20; round++)
      for (let at = 0; at < 1_000; at++) {
        hold(at, round);
        expect(memory.held).toBeLessThanOrEqual(400);
      }
  });

  it('has room again once a body is released', () => {
    const { memory, held, hold } = holders(2);
    hold(0, 400);
    hold(0, 0);
    hold(1, 400);
    expect([memory.held, held]).toEqual([400, [0, 400]]);
  });

  it('counts what a holder hands on while it gives up', () => {
    const memory = new BodyMemory(100);
    const taken = memory.share(() => 30);
    const passing = memory.share(() => {
      taken.hold(350);
      return 0;
    });
    const other = memory.share(() => 0);
    passing.hold(350);
    other.hold(60);
    expect(memory.held).toBe(90);
  });

  it('forgets the bytes of a holder that does not give up any', () => {
    const memory = new BodyMemory(100);
    memory.share(() => 500).hold(500);
    expect(memory.held).toBe(0);
  });
});
