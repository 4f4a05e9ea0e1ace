import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Asked, matchers } from '../../../src/adapters/matchers/client-message-matchers.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
// The types of the matchers stand there.
import type {} from '../../../src/adapters/vitest.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { MessageLog } from '../../../src/journal/message-log.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { temporaryFolder } from '../../support/cassette.ts';

expect.extend(matchers);

const cassette = join(temporaryFolder(), 'cassette.yaml');
writeFileSync(
  cassette,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: ping }
- server: { jsonrpc: "2.0", id: 0, result: {} }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: add, arguments: { a: 1, b: 2 } } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [] } }
`,
);

const ping = { id: 'x', method: 'ping' };
const add = (a: number) => ({ id: 7, method: 'tools/call', params: { name: 'add', arguments: { b: 2, a } } });

/** What has heard these messages of a client, after the server asked for roots with the id 5. */
function asked(...messages: object[]): Asked {
  const received = new MessageLog(new ManualClock());
  received.addFromServer({ id: 5, method: 'roots/list' }, {});
  for (const message of messages) received.addFromClient(message, {});
  return { journal: received.journal };
}

/** What a matcher throws. */
function thrown(check: () => void): { message: string; code?: string; expected?: unknown; actual?: unknown } {
  try {
    check();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It passed.');
}

describe('toHaveReceivedRequest', () => {
  it('looks for a method, and for params that are among others', () => {
    expect(asked(ping, add(1))).toHaveReceivedRequest('ping');
    expect(asked(add(1))).toHaveReceivedRequest('tools/call', { arguments: { a: 1 } });
    expect(asked(add(1))).toHaveReceivedRequest('tools/call', { name: expect.stringMatching(/^a/) });
    expect(asked(add(1))).not.toHaveReceivedRequest('tools/call', { arguments: { a: 2 } });
    expect(asked(ping)).not.toHaveReceivedRequest('tools/call');
  });

  it('fails at an expression that backtracks for ever, under not as well', () => {
    const one = { id: 7, method: 'tools/call', params: { name: `${'a'.repeat(60)}!` } };
    const wanted = { name: /^(a+)+$/ };
    const checks = [
      () => expect(asked(one)).toHaveReceivedRequest('tools/call', wanted),
      () => expect(asked(one)).not.toHaveReceivedRequest('tools/call', wanted),
    ];
    for (const check of checks) expect(thrown(check)).toMatchObject({ code: 'JOURNAL_MATCH_TIMED_OUT' });
  });

  it('compares as waits do: expressions, matchers, lists item by item', () => {
    const one = { id: 7, method: 'tools/call', params: { name: 'add', arguments: { list: [{ a: 1, b: 2 }] } } };
    expect(asked(one)).toHaveReceivedRequest('tools/call', {
      name: /^a/,
      arguments: { list: [{ a: expect.any(Number) }] },
    });
    expect(asked(one)).not.toHaveReceivedRequest('tools/call', { name: /^b/ });
    expect(asked(one)).toHaveReceivedRequest('tools/call', expect.objectContaining({ name: 'add' }));
  });

  it('draws the nearest of several', () => {
    const wanted = { name: 'add', arguments: { a: 3 } };
    const error = thrown(() =>
      expect(asked({ ...add(1), params: {} }, add(2), { ...add(1), params: {} })).toHaveReceivedRequest(
        'tools/call',
        wanted,
      ),
    );
    expect(error).toMatchObject({ expected: wanted, actual: add(2).params });
    expect(error.message).toContain('but received 3 tools/call requests: in the closest one, /arguments/a is 2, not 3');
  });

  it('says what came instead, so that it can be drawn', () => {
    const wanted = { arguments: { a: 2 } };
    const error = thrown(() => expect(asked(add(1))).toHaveReceivedRequest('tools/call', wanted));
    expect(error).toMatchObject({ expected: wanted, actual: add(1).params });
    expect(error.message).toContain(
      'expected a tools/call request with these params, but received 1 tools/call request: /arguments/a is 1, not 2',
    );
    const other = thrown(() => expect(asked(ping, ping)).toHaveReceivedRequest('tools/list'));
    expect(other.message).toContain('but received only requests: ping');
    const none = thrown(() => expect(asked()).toHaveReceivedRequest('tools/list'));
    expect(none.message).toBe('expected a tools/list request, but received none');
    const any = thrown(() => expect(asked(ping)).not.toHaveReceivedRequest('ping'));
    expect(any.message).toBe('expected no ping request, but received 1 ping request');
  });
});

describe('toHaveReceivedNotification', () => {
  const changed = { method: 'notifications/roots/list_changed', params: { a: 1, b: 2 } };

  it('looks for notifications alone', () => {
    expect(asked(ping, changed)).toHaveReceivedNotification(changed.method, { a: 1 });
    expect(asked(changed)).not.toHaveReceivedNotification(changed.method, { a: 2 });
    const none = thrown(() => expect(asked(changed)).toHaveReceivedNotification('notifications/x'));
    expect(none.message).toContain(
      `expected a notifications/x notification, but received only notifications: ${changed.method}`,
    );
  });
});

describe('what is sought', () => {
  const call = add(1);

  it.each([
    ['toHaveReceivedRequest', 'tools/call', 'add', 'its params are "add"'],
    ['toHaveReceivedRequest', 'tools/call', { params: { name: 'add' } }, 'a whole message'],
    ['toHaveAnswered', 'sampling/createMesage', undefined, 'Did you mean "sampling/createMessage"?'],
    ['toHaveAnswered', 'notifications/cancelled', undefined, 'Use toHaveReceivedNotification'],
    ['toHaveReceivedRequest', 'tools/call', [], 'its params are'],
    ['toHaveReceivedRequest', 'tools/call', /add/, 'its params are'],
    ['toHaveReceivedRequest', 'tools/call', new Map(), 'its params are'],
    ['toHaveAnswered', 'tools/call', 'yes', 'its answer is "yes"'],
    ['toHaveAnswered', 'tools/call', { content: [] }, 'Give { result } or { error }'],
    ['toHaveAnswered', 'tools/call', null, 'its answer is null'],
    ['toHaveReceivedRequest', 'tool/call', undefined, 'Did you mean "tools/call"?'],
    ['toHaveReceivedRequest', 'notifications/initialized', undefined, 'Use toHaveReceivedNotification'],
    ['toHaveReceivedNotification', 'tools/call', undefined, 'Use toHaveReceivedRequest'],
  ] as const)('cannot pass under .not where it is a mistake: %s(%j, %j)', (matcher, method, params, said) => {
    const none = expect(asked(call)).not as unknown as Record<string, (...sought: unknown[]) => void>;
    expect(() => none[matcher]!(method, params)).toThrow(said);
    expect(() => none[matcher]!(method, params)).toThrow('[MATCHER_WRONG_OBJECT]');
  });

  it('may be of a method that an extension has', () => {
    for (const method of ['skills/list', 'events/poll', 'x/y', 'sampling/createMessage'])
      expect(asked(call)).not.toHaveReceivedRequest(method);
  });
});

describe('toHaveAnswered', () => {
  const answer = { id: 5, result: { roots: [{ uri: 'file:///a', name: 'a' }] } };
  const refusal = { id: 5, error: { code: -32601, message: 'Method not found' } };

  it('looks for an answer to a method, and for values that are among others', () => {
    expect(asked(answer)).toHaveAnswered('roots/list');
    expect(asked(answer)).toHaveAnswered('roots/list', { result: { roots: [{ uri: 'file:///a' }] } });
    expect(asked(answer)).not.toHaveAnswered('roots/list', { result: { roots: [] } });
    expect(asked(refusal)).toHaveAnswered('roots/list', { error: { code: -32601 } });
    expect(asked(refusal)).not.toHaveAnswered('roots/list', { result: {} });
    expect(asked({ ...answer, id: 6 })).not.toHaveAnswered('roots/list');
  });

  it('says what came instead', () => {
    const other = thrown(() => expect(asked(answer)).toHaveAnswered('sampling/createMessage'));
    expect(other.message).toContain(
      'expected an answer to sampling/createMessage, but received only answers to: roots/list',
    );
    const stray = thrown(() => expect(asked({ ...answer, id: 6 })).toHaveAnswered('roots/list'));
    expect(stray.message).toContain('but received only answers to: an unknown request');
    const differs = thrown(() => expect(asked(refusal)).toHaveAnswered('roots/list', { result: {} }));
    expect(differs.message).toContain(
      'expected an answer to roots/list with these values, but received 1 answer to roots/list: ',
    );
    expect(differs.actual).toEqual({ error: refusal.error });
  });
});

describe('how often', () => {
  const journal = asked(ping, add(1), ping, add(2), add(2));

  it('is a number that has to be right', () => {
    expect(journal).toHaveReceivedRequest('ping', undefined, { times: 2 });
    expect(journal).toHaveReceivedRequest('tools/call', {}, { times: 3 });
    expect(journal).toHaveReceivedRequest('tools/call', { arguments: { a: 2 } }, { times: 2 });
    expect(journal).toHaveReceivedRequest('tools/list', undefined, { times: 0 });
    for (const times of [0, 1, 3]) expect(journal).not.toHaveReceivedRequest('ping', undefined, { times });
    const changed = { method: 'notifications/roots/list_changed' };
    expect(asked(changed, changed)).toHaveReceivedNotification(changed.method, {}, { times: 2 });
    expect(asked(changed)).not.toHaveReceivedNotification(changed.method, {}, { times: 2 });
    const answer = { id: 5, result: { roots: [] } };
    expect(asked(answer)).toHaveAnswered('roots/list', { result: {} }, { times: 1 });
    expect(asked(answer)).not.toHaveAnswered('roots/list', { result: {} }, { times: 2 });
  });

  it('is no way to check that a method which is misspelt has not come', () => {
    const check = () => expect(journal).toHaveReceivedRequest('tool/call', undefined, { times: 0 });
    expect(check).toThrow('Did you mean "tools/call"?');
  });

  it('is said where it differs', () => {
    const few = thrown(() => expect(journal).toHaveReceivedRequest('ping', undefined, { times: 3 }));
    expect(few.message).toBe('expected 3 ping requests, but received 2 ping requests');
    const unlike = { arguments: { a: 2 } };
    const many = thrown(() => expect(journal).toHaveReceivedRequest('tools/call', unlike, { times: 1 }));
    expect(many.message).toBe(
      'expected 1 tools/call request with these params, but received 2 with these params, of 3 tools/call requests',
    );
    const none = thrown(() => expect(journal).toHaveReceivedRequest('tools/list', undefined, { times: 1 }));
    expect(none.message).toBe('expected 1 tools/list request, but received only requests: ping, tools/call');
    const not = thrown(() => expect(journal).not.toHaveReceivedRequest('ping', undefined, { times: 2 }));
    expect(not.message).toBe('expected any number but 2 ping requests, but received 2 ping requests');
  });

  it.each([
    ['toHaveReceivedRequest', ['ping', {}, { time: 2 }], 'OPTION_UNKNOWN', 'Did you mean times?'],
    ['toHaveReceivedRequest', ['ping', {}, { timeout: 2 }], 'OPTION_UNKNOWN', 'The option is times'],
    ['toHaveReceivedRequest', ['ping', {}, { times: 2 }, 7], 'OPTION_UNKNOWN', 'argument 7'],
    ['toHaveReceivedRequest', ['ping', {}, undefined, undefined, 7], 'OPTION_UNKNOWN', 'argument 7'],
    ['toHaveReceivedRequest', ['ping', {}, 2], 'OPTION_BAD_VALUE', 'the options are 2'],
    ['toHaveReceivedRequest', ['ping', {}, null], 'OPTION_BAD_VALUE', 'the options are null'],
    ['toHaveReceivedRequest', ['ping', {}, {}], 'OPTION_BAD_VALUE', 'times is absent'],
    ['toHaveReceivedRequest', ['ping', {}, { times: '2' }], 'OPTION_BAD_VALUE', 'times is "2"'],
    ['toHaveReceivedRequest', ['ping', {}, { times: -1 }], 'OPTION_BAD_VALUE', 'times is -1'],
    ['toHaveReceivedRequest', ['ping', {}, { times: 1.5 }], 'OPTION_BAD_VALUE', 'times is 1.5'],
    ['toHaveReceivedNotification', ['notifications/x', {}, { often: 2 }], 'OPTION_UNKNOWN', 'The option is times'],
    ['toHaveAnswered', ['ping', {}, { tims: 2 }], 'OPTION_UNKNOWN', 'Did you mean times?'],
    ['toMatchSession', [cassette, { times: 2 }], 'OPTION_UNKNOWN', 'argument {"times":2}'],
    ['toHaveReceivedRequest', ['ping', { times: 2 }], 'MATCHER_WRONG_OBJECT', "('ping', undefined, { times: 2 })"],
  ] as const)('is refused where it is none: %s%j', (matcher, given, code, said) => {
    for (const check of [expect(journal), expect(journal).not]) {
      const untyped = check as unknown as Record<string, (...all: unknown[]) => void>;
      const error = thrown(() => untyped[matcher]!(...given));
      expect(error).toMatchObject({ code, message: expect.stringContaining(said) });
    }
  });
});

describe('a wrong object', () => {
  const names = ['toHaveReceivedRequest', 'toHaveReceivedNotification', 'toHaveAnswered', 'toMatchSession'] as const;
  const objects = [
    ['undefined', undefined],
    ['null', null],
    ['"mcp"', 'mcp'],
    ['a Map', new Map()],
    ['this object', { received: () => [] }],
    ['this object', { journal: {} }],
  ] as const;

  it.each(names.flatMap((name) => objects.map(([title, object]) => [name, title, object] as const)))(
    'fails %s on %s, negated too',
    (name, title, object) => {
      for (const check of [expect(object), expect(object).not]) {
        const error = thrown(() => check[name](cassette));
        expect(error.code).toBe('MATCHER_WRONG_OBJECT');
        expect(error.message).toContain(`${title} has no journal`);
      }
    },
  );

  it('is also a method that is none', () => {
    for (const check of [expect(asked()), expect(asked()).not]) {
      const error = thrown(() => check.toHaveReceivedRequest(undefined as unknown as string));
      expect(error.message).toContain('its first argument is no string. [MATCHER_WRONG_OBJECT]');
    }
  });

  it('is not a journal alone', () => {
    expect((asked(ping) as { journal: Journal }).journal).toHaveReceivedRequest('ping');
  });
});

describe('toMatchSession', () => {
  it('compares all that was asked with the cassette, but for ids and the order of keys', () => {
    expect(asked(ping, add(1))).toMatchSession(cassette);
    expect(asked(add(1), ping)).not.toMatchSession(cassette);
    expect(asked(ping)).not.toMatchSession(cassette);
    expect(asked(ping, add(1), ping)).not.toMatchSession(cassette);
  });

  it('leaves out the state that the server chose', () => {
    const booking = join(dirname(cassette), 'booking.yaml');
    const call = '{ jsonrpc: "2.0", id: 1, method: tools/call, params: { name: book, requestState: recorded } }';
    writeFileSync(booking, `format: mcp-record/1\ntransport: stdio\nevents:\n- client: ${call}\n`);
    const retry = (name: string) => ({ id: 7, method: 'tools/call', params: { name, requestState: 'live' } });
    expect(asked(retry('book'))).toMatchSession(booking);
    const { expected, actual } = thrown(() => expect(asked(retry('buy'))).toMatchSession(booking));
    expect([expected, actual]).toEqual([
      [{ method: 'tools/call', params: { name: 'book' } }],
      [{ method: 'tools/call', params: { name: 'buy' } }],
    ]);
  });

  it('finds a relative path beside the test file', () => {
    const state = { testPath: join(dirname(cassette), 'a.test.ts') };
    expect(matchers.toMatchSession.call(state, asked(ping, add(1)), 'cassette.yaml').pass).toBe(true);
    expect(() => matchers.toMatchSession.call(state, asked(), './none.yaml')).toThrow(
      join(dirname(cassette), 'none.yaml'),
    );
  });

  it('draws the difference', () => {
    const { expected, actual } = thrown(() => expect(asked(ping, add(2))).toMatchSession(cassette));
    expect(expected).toEqual([
      { method: 'ping', params: {} },
      { method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } },
    ]);
    expect(actual).toMatchObject([{}, { params: { arguments: { a: 2 } } }]);
  });
});

describe('the fixture of a test that has opened nothing', () => {
  const mcp = () => openMcp({ file: 'nothing.test.js', names: ['nothing'] });
  const checks: [name: string, check: (subject: Asked) => void][] = [
    ['not', (subject) => expect(subject).not.toHaveReceivedRequest('tools/call')],
    ['times: 0', (subject) => expect(subject).toHaveReceivedRequest('tools/call', undefined, { times: 0 })],
    ['not, of a notification', (subject) => expect(subject).not.toHaveReceivedNotification('notifications/cancelled')],
    ['not, of an answer', (subject) => expect(subject).not.toHaveAnswered('elicitation/create')],
    ['not, of a session', (subject) => expect(subject).not.toMatchSession(cassette)],
  ];

  it.each(checks)('fails %s, until it has a server, also before its client connects', async (_, check) => {
    const subject = mcp();
    const error = expect.objectContaining({
      code: 'MATCHER_WRONG_OBJECT',
      message: expect.stringContaining('mcp.server(…)'),
    });
    expect(thrown(() => check(subject))).toEqual(error);
    expect(thrown(() => check(subject.journal))).toEqual(error);
    await subject.server({});
    check(subject);
    check(subject.journal);
    await subject.finish({ passed: true });
  });
});
