import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../src/kernel/manual-clock.ts';
import { SendQueue, type SendTask } from '../../../../src/transports/http/client/send-queue.ts';

/** Errands that tell when they begin, and end when the test says so. */
function errands() {
  const clock = new ManualClock();
  const order = new SendQueue(clock);
  const begun: string[] = [];
  const heard = new Map<string, () => void>();
  const errand =
    (name: string): SendTask =>
    (done) => {
      begun.push(name);
      heard.set(name, done);
    };
  return { clock, order, begun, errand, hears: (name: string) => heard.get(name)!() };
}

describe('errands', () => {
  it('begin one after the other, each when the one before was heard of', () => {
    const { order, begun, errand, hears } = errands();
    for (const name of ['a', 'b', 'c']) order.add(errand(name));
    expect(begun).toEqual(['a']);
    hears('a');
    hears('b');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('begin without that after a second, or as long as is said, and then it counts no more', () => {
    const { clock, order, begun, errand, hears } = errands();
    order.add(errand('a'));
    order.add(errand('b'), 5_000);
    order.add(errand('c'));
    clock.advance(999);
    expect(begun).toEqual(['a']);
    clock.advance(1);
    expect(begun).toEqual(['a', 'b']);
    hears('a');
    clock.advance(4_999);
    expect(begun).toEqual(['a', 'b']);
    clock.advance(1);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('go before those that wait, where that is asked for', () => {
    const { order, begun, errand, hears } = errands();
    order.add(errand('a'));
    order.add(errand('c'));
    order.addFirst(errand('b'));
    hears('a');
    expect(begun).toEqual(['a', 'b']);
  });

  it('do not begin after the end', () => {
    const { clock, order, begun, errand, hears } = errands();
    order.add(errand('a'));
    order.add(errand('b'));
    order.end();
    hears('a');
    clock.advance(10_000);
    expect(begun).toEqual(['a']);
  });

  it('may be many that are heard of at once', () => {
    const { order, errand, hears } = errands();
    let count = 0;
    order.add(errand('first'));
    for (let n = 0; n < 20_000; n++) {
      order.add((heard) => {
        count++;
        heard();
      });
    }
    hears('first');
    expect(count).toBe(20_000);
  });
});
