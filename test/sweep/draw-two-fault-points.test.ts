import { describe, expect, it } from 'vitest';
import { drawPairs, pairedPoint } from '../../src/sweep/draw-two-fault-points.ts';

const one = (name: string) => {
  const [fault = '', message] = name.split('@');
  return { name, fault, message: Number(message), line: 10 * Number(message), title: `message ${message}` };
};
const POINTS = ['drop', 'cut', 'junk'].flatMap((fault) => [1, 2, 3].map((message) => one(`${fault}@${message}`)));
const isFirst = ({ fault }: { fault: string }) => fault !== 'cut';
const names = ({ pairs }: ReturnType<typeof drawPairs<(typeof POINTS)[0]>>) =>
  pairs.map(([first, second]) => `${first.name}+${second.name}`);

describe('pairs of points', () => {
  it('have a second message after the first, which is still sent then', () => {
    const lostAfter = ({ name }: { name: string }) => new Set(name === 'drop@1' ? [1, 3] : []);
    const drawn = drawPairs(POINTS, { count: 100, seed: 1, isFirst, lostAfter });
    expect(drawn.of).toBe(18 - 3);
    const seconds = (first: string, message: number) =>
      ['cut', 'drop', 'junk'].map((fault) => `${first}+${fault}@${message}`);
    expect(names(drawn)).toEqual([
      ...[...seconds('drop@1', 2), ...seconds('junk@1', 2), ...seconds('junk@1', 3)],
      ...[...seconds('drop@2', 3), ...seconds('junk@2', 3)],
    ]);
  });

  it('are drawn by a seed, each once, and are the same in each part', () => {
    const drawn = (seed: number) => names(drawPairs(POINTS, { count: 6, seed, isFirst }));
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    expect(new Set(drawn(3)).size).toBe(6);
    // A sweep of an earlier version repeats with its seed.
    expect(drawn(1)).toMatchInlineSnapshot(`
      [
        "drop@1+cut@2",
        "drop@1+junk@2",
        "junk@1+junk@2",
        "junk@1+cut@3",
        "drop@2+junk@3",
        "junk@2+drop@3",
      ]
    `);
  });

  it('of a long cassette are drawn in a moment: hundreds of millions are never made', () => {
    const faults = Array.from({ length: 20 }, (_, n) => `fault-${n}`);
    const many = faults.flatMap((fault) => Array.from({ length: 1_500 }, (_, n) => one(`${fault}@${n + 1}`)));
    const drawn = drawPairs(many, { count: 200, seed: 1, isFirst });
    expect([drawn.pairs.length, drawn.of]).toEqual([200, (20 * 20 * 1_500 * 1_499) / 2]);
  });

  it('are none of one message', () => {
    expect(drawPairs([one('drop@1')], { count: 5, seed: 1, isFirst })).toEqual({ pairs: [], of: 0 });
  });

  it('have the name of both', () => {
    expect(pairedPoint(one('drop@1'), one('cut@3'))).toEqual({
      name: 'drop@1+cut@3',
      fault: 'drop+cut',
      message: 1,
      line: 10,
      title: 'message 1, then message 3',
    });
  });
});
