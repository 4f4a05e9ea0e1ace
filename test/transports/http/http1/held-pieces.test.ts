import { describe, expect, it } from 'vitest';
import { HeldPieces } from '../../../../src/transports/http/http1/held-pieces.ts';

function holding(...pieces: string[]): HeldPieces {
  const held = new HeldPieces();
  for (const piece of pieces) held.add(Buffer.from(piece));
  return held;
}

describe('held pieces', () => {
  it('are taken as one, and no more after that', () => {
    const held = holding('ab', '', 'cde');
    expect([held.length, held.take().toString(), held.length, held.take().toString()]).toEqual([5, 'abcde', 0, '']);
  });

  it('have a beginning across pieces', () => {
    const held = holding('ab', 'cde', 'f');
    expect([0, 1, 2, 4, 9].map((length) => Buffer.from(held.beginning(length)).toString())).toEqual([
      '',
      'a',
      'ab',
      'abcd',
      'abcdef',
    ]);
  });

  it('are cut inside a piece, which is not kept for the part', () => {
    const held = holding('ab', 'x'.repeat(1_000_000), 'c');
    held.cutTo(5);
    expect(held.pieces.map(({ buffer, length }) => [length, length < 3 || buffer.byteLength < 10])).toEqual([
      [2, true],
      [3, true],
    ]);
    held.add(Buffer.from('d'));
    expect(held.take().toString()).toBe('abxxxd');
  });

  it('are joined if they are tiny, so that none takes more than its bytes', () => {
    const held = new HeldPieces();
    for (let n = 0; n < 100_000; n++) held.add(Buffer.from('x'));
    held.add(Buffer.alloc(5_000, 'y'));
    expect(held.pieces.length).toBeLessThan(1_200);
    expect(held.take().toString()).toBe('x'.repeat(100_000) + 'y'.repeat(5_000));
  });
});
