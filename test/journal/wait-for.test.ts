import { describe, expect, it } from 'vitest';
import { MessageLog } from '../../src/journal/message-log.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { META } from '../../src/protocol/meta.ts';

const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call' });

function begin() {
  const clock = new ManualClock();
  const received = new MessageLog(clock);
  const say = (message: object) => received.addFromClient(message, {});
  const hear = (message: object) => received.addFromServer(message, {});
  return { clock, say, hear, received, journal: received.journal };
}

describe('waitFor', () => {
  it('resolves with what has come already', async () => {
    const { say, journal } = begin();
    say(call(1));
    await expect(journal.waitFor('tools/call')).resolves.toMatchObject({ id: 1 });
  });

  it('takes expressions and matchers of the runner among the params, as requests() does', async () => {
    const { clock, say, journal } = begin();
    const params = { name: 'add', arguments: { city: 'Rain', n: 1 } };
    const wanted = { name: expect.any(String), arguments: { city: /rain/i } };
    const came = journal.waitFor('tools/call', { params: wanted });
    say({ ...call(1), params: { name: 'add', arguments: { city: 'Sun' } } });
    say({ ...call(2), params });
    await expect(came).resolves.toMatchObject({ id: 2 });
    expect(journal.requests('tools/call', wanted)).toMatchObject([{ id: 2 }]);
    const missed = journal.waitFor('tools/call', {
      params: { arguments: { city: /snow/, n: expect.any(Number) } },
      timeout: 1,
    });
    clock.advance(1);
    await expect(missed).rejects.toThrow('for tools/call {"arguments":{"city":/snow/,"n":Any<Number>}}: ');
  });

  it('takes no answer for a message with params', async () => {
    const { clock, say, journal, hear } = begin();
    hear({ id: 5, method: 'ping' });
    say({ id: 5, result: {} });
    const missed = journal.waitFor('ping', { params: { _meta: { a: 1 } }, timeout: 1 });
    clock.advance(1);
    await expect(missed).rejects.toMatchObject({ code: 'WAIT_TIMED_OUT' });
    await expect(journal.waitFor('ping', { timeout: 1 })).resolves.toMatchObject({ kind: 'answer' });
  });

  it('rejects with the error of a matcher that throws, and lets the message pass', async () => {
    const { say, journal } = begin();
    const asymmetricMatch = () => {
      throw new Error('no schema');
    };
    const wait = journal.waitFor('tools/call', { params: { name: { asymmetricMatch } } });
    const rejected = expect(wait).rejects.toThrow('no schema');
    say({ ...call(1), params: { name: 'add' } });
    await rejected;
    expect(journal.requests()).toHaveLength(1);
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

  it('rejects at its deadline, of 4 s where nothing is said, with all that came', async () => {
    const { clock, say, journal } = begin();
    const missed = journal.waitFor('tools/call', { count: 3 });
    say(call(1));
    say(call(2));
    say({ id: 9, result: {} });
    clock.advance(3_999);
    say({ method: 'notifications/initialized' });
    clock.advance(1);
    await expect(missed).rejects.toMatchObject({
      code: 'WAIT_TIMED_OUT',
      message: expect.stringContaining(
        'Waited 4000 ms for tools/call (3 of it): only 2 came. [WAIT_TIMED_OUT]\n' +
          '  Received 4 messages: tools/call ×2, answer to nothing, notifications/initialized.',
      ),
    });
    const never = journal.waitFor('ping', { timeout: 10 });
    journal.reset();
    clock.advance(10);
    await expect(never).rejects.toThrow('it did not come. [WAIT_TIMED_OUT]\n  Nothing came.');
  });

  it.each([
    ['of 2026-07-28 over HTTP', { _meta: { [META.protocolVersion]: '2026-07-28' } }, { headers: {} }, true],
    ['of 2026-07-28 in memory', { _meta: { [META.protocolVersion]: '2026-07-28' } }, {}, false],
    ['of an earlier revision over HTTP', {}, { headers: {} }, false],
  ])('a client %s may cancel without a message', async (_, params, delivery, hasAdvice) => {
    const { clock, received, journal } = begin();
    received.addFromClient({ ...call(1), params }, delivery);
    const missed = journal.waitFor('notifications/cancelled', { timeout: 1 });
    clock.advance(1);
    const { message } = await missed.catch((error: Error) => error as Error & { id?: undefined });
    expect(/cancels by closing the stream of its call.* signal/.test(`${message}`)).toBe(hasAdvice);
  });

  it('says how the nearest message differs where none has the params', async () => {
    const { clock, say, journal } = begin();
    const params = { arguments: { city: 'Rome', days: 2 } };
    say({ id: 0, method: 'initialize', params: { arguments: params.arguments } });
    say({ ...call(1), params: { name: 'weather', arguments: { city: 'Oslo' } } });
    say({ ...call(2), params: { name: 'weather', arguments: { city: 'Oslo', days: 2 } } });
    const missed = journal.waitFor('tools/call', { params });
    const unlike = journal.waitFor('tools/call', { params: { arguments: { city: /^o/, days: 2 } }, count: 2 });
    clock.advance(4_000);
    await expect(missed).rejects.toMatchObject({
      expected: params,
      actual: { name: 'weather', arguments: { city: 'Oslo', days: 2 } },
      message:
        'Waited 4000 ms for tools/call {"arguments":{"city":"Rome","days":2}}: 2 came with other params: of the nearest ' +
        '/arguments/city is "Oslo", not "Rome". [WAIT_TIMED_OUT]\n  Received 3 messages: initialize, tools/call ×2.\n' +
        "  See that the client sends it, or wait longer: waitFor('tools/call', { timeout }).",
    });
    await expect(unlike).rejects.toThrow('(2 of it): 2 came with other params: of the nearest');
    say({ ...call(3), params: { arguments: { city: 'Rome', days: 2 } } });
    const second = journal.waitFor('tools/call', { params, count: 2, timeout: 1 });
    clock.advance(1);
    await expect(second).rejects.toThrow(
      '(2 of it): only 1 came, and 2 with other params: of the nearest /arguments/city is "Oslo", not "Rome".',
    );
  });

  it('asks whether a method is misspelt that nobody has sent', async () => {
    const { clock, say, journal } = begin();
    say({ method: 'notifications/x/changed' });
    const near = journal.waitFor('notifications/x/change', { timeout: 1 });
    clock.advance(1);
    await expect(near).rejects.toThrow('Did you mean notifications/x/changed? Received 1 message');
    for (const method of ['ping', 'skills/list', 'x/y']) {
      const missed = journal.waitFor(method, { timeout: 1 });
      clock.advance(1);
      await expect(missed).rejects.toThrow('[WAIT_TIMED_OUT]\n  Received 1 message');
    }
  });

  it('refuses at once what no message can be', async () => {
    const { journal } = begin();
    await expect(journal.waitFor('tool/call')).rejects.toThrow(
      /no such method. \[WAIT_BAD_OPTION\][\s\S]*"tools\/call"\?/,
    );
    const missed = journal.waitFor('tools/call', { params: { nmae: 'add' } });
    await expect(missed).rejects.toThrow(/no member nmae. \[WAIT_BAD_OPTION\][\s\S]*Did you mean name\?/);
  });

  it('says what it waits for until it has come, or for too long', async () => {
    const { clock, say, journal } = begin();
    const waits = [journal.waitFor('tools/call'), journal.waitFor('ping', { timeout: 1 })];
    expect(journal.waiting).toEqual(['tools/call', 'ping']);
    say(call(1));
    expect(journal.waiting).toEqual(['ping']);
    clock.advance(1);
    expect(journal.waiting).toEqual([]);
    expect((await Promise.allSettled(waits)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('is to blame on the line of the test', async () => {
    const { clock, journal } = begin();
    const missed = journal.waitFor('ping', { timeout: 1 });
    clock.advance(1);
    const stack = await missed.catch((error: Error) => error.stack);
    expect(stack).toMatch(/^McpRecordError: Waited 1 ms for ping: it did not come/);
    expect(`${stack}`.split('\n').find((line) => /^ +at /.test(line))).toMatch(/wait-for\.test\.ts:\d+:\d+/);
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
    const missed = journal.waitFor('x/y', { timeout: 1 });
    clock.advance(1);
    await expect(missed).rejects.toThrow(/m19, and 5 more\./);
  });

  it.each([
    ['', {}, 'the method is ""'],
    ['x', { count: 0 }, 'the count is 0'],
    ['x', { count: 1.5 }, 'the count is 1.5'],
    ['x', { timeout: -1 }, 'the timeout is -1'],
    ['x', { timeout: Number.NaN }, 'the timeout is NaN'],
    ['x', { params: 'add' as never }, 'the params are "add"'],
    ['x', { params: /add/ as never }, 'the params are /add/'],
    [
      'x',
      { name: 'add', n: 1 } as never,
      `there is no option name, n. [WAIT_BAD_OPTION]\n  Write waitFor('x', { params: {"name":"add","n":1} }).`,
    ],
    ['x', { timeoutMs: 1 } as never, 'there is no option timeoutMs. [WAIT_BAD_OPTION]\n  Did you mean timeout?'],
    ['x', { param: {} } as never, 'Did you mean params?'],
    ['x', 7 as never, 'the options are 7'],
    ['x', null as never, 'the options are null'],
  ])('refuses %j with %j', async (method, options, why) => {
    await expect(begin().journal.waitFor(method, options)).rejects.toMatchObject({
      code: 'WAIT_BAD_OPTION',
      message: expect.stringContaining(why),
    });
  });
});
