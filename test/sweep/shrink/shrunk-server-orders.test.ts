import { describe, expect, it } from 'vitest';
import { linesOf, long, overStdio, programOf, shrink } from './server-orders-to-shrink.ts';

describe('an order of the messages of a client', () => {
  it('that dies-of-an-order fails with is the same with two calls', async () => {
    const { observation, messages, messagesBefore } = await shrink(overStdio('dies-of-an-order'), [6, 5]);
    expect(observation).toMatchObject({
      point: 'order@4,3',
      verdict: 'crashed',
      cause: 'its process ended with 3, and the client was there',
      isBad: true,
    });
    expect([messagesBefore, messages]).toEqual([long.events.length, 7]);
  });

  it('is no failure of a server that stands it', async () => {
    await expect(shrink(overStdio('none'), [6, 5])).rejects.toMatchObject({ code: 'SHRINK_NO_FAILURE' });
  });

  it('cannot be tried with a cassette that does not have it', async () => {
    const [early, passed] = linesOf(6, 5);
    const program = programOf(overStdio('none'));
    expect(await program.attempt(long, [early!, 1], true)).toBeUndefined();
    expect(await program.attempt(long, [passed!, early!], true)).toBeUndefined();
  });
});
