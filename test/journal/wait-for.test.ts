import { describe, expect, it } from 'vitest';
import { MessageLog } from '../../src/journal/message-log.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';

const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call' });

function begin() {
  const clock = new ManualClock();
  const received = new MessageLog(clock);
  const say = (message: object) => received.addFromClient(message, {});
  return { clock, say, journal: received.journal };
}

describe('waitFor', () => {
  it('resolves with what has come already', async () => {
    const { say, journal } = begin();
    say(call(1));
    await expect(journal.waitFor('tools/call')).resolves.toMatchObject({ id: 1 });
  });

  it('resolves with what comes, and with as many as were asked for', async () => {
    const { say, journal } = begin();
    const second = journal.waitFor('tools/call', { count: 2 });
    say(call(1));
    say({ method: 'notifications/cancelled' });
    say(call(2));
    await expect(second).resolves.toMatchObject({ id: 2 });
  });

  it('waits for notifications and for no end of time, too', async () => {
    const { clock, say, journal } = begin();
    const came = journal.waitFor('notifications/cancelled', { timeout: Number.POSITIVE_INFINITY });
    clock.advance(1e12);
    say({ method: 'notifications/cancelled' });
    await expect(came).resolves.toMatchObject({ kind: 'notification' });
  });

  it('rejects at its deadline, of 5 s where nothing is said, with all that came', async () => {
    const { clock, say, journal } = begin();
    const missed = journal.waitFor('tools/call', { count: 3 });
    say(call(1));
    say(call(2));
    say({ id: 9, result: {} });
    clock.advance(4_999);
    say({ method: 'notifications/initialized' });
    clock.advance(1);
    await expect(missed).rejects.toMatchObject({
      code: 'WAIT_TIMED_OUT',
      message: expect.stringContaining(
        'Waited 5000 ms for tools/call (3 of it): only 2 came. [WAIT_TIMED_OUT]\n' +
          '  There came 4 messages: tools/call ×2, answer to nothing, notifications/initialized.',
      ),
    });
    const never = journal.waitFor('ping', { timeout: 10 });
    journal.reset();
    clock.advance(10);
    await expect(never).rejects.toThrow('it did not come. [WAIT_TIMED_OUT]\n  Nothing came.');
  });

  it('counts what came before its deadline even where nobody said so', async () => {
    const { clock, say, journal } = begin();
    const kept = journal.entries;
    expect(kept).toEqual([]);
    const zero = journal.waitFor('tools/call', { timeout: 0 });
    say(call(1));
    clock.advance(0);
    await expect(zero).resolves.toMatchObject({ id: 1 });
  });

  it('lists no more than can be read', async () => {
    const { clock, say, journal } = begin();
    for (let n = 0; n < 25; n++) say({ id: n, method: `m${n}` });
    const missed = journal.waitFor('x', { timeout: 1 });
    clock.advance(1);
    await expect(missed).rejects.toThrow(/m19, and 5 more\./);
  });

  it.each([
    ['', {}, 'the method is ""'],
    ['x', { count: 0 }, 'the count is 0'],
    ['x', { count: 1.5 }, 'the count is 1.5'],
    ['x', { timeout: -1 }, 'the timeout is -1'],
    ['x', { timeout: Number.NaN }, 'the timeout is NaN'],
  ])('refuses %j with %j', async (method, options, why) => {
    await expect(begin().journal.waitFor(method, options)).rejects.toMatchObject({
      code: 'WAIT_BAD_OPTION',
      message: expect.stringContaining(why),
    });
  });
});
