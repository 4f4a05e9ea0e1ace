import { expect, it } from 'vitest';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { parseFaultRules } from '../../../src/faults/rules/parse-fault-rules.ts';
import { faultMatrix, rulesFileOf, sweptOn } from '../../../src/sweep/client/fault-cases.ts';
import {
  call,
  cancel,
  cassette,
  client,
  notification,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';

const session = cassette(
  client(call(1, 'add', {}, 1)),
  server(progress(1, 1)),
  server(request(0, 'roots/list')),
  client(result(0, '')),
  server(result(1, 'sum')),
);

const named = (names: readonly string[]) => names.map((name) => ({ name }));

it('every fault meets every message of the server that it can hit', () => {
  expect(
    faultMatrix(session, named(['cut', 'error-reply'])).map(({ name, title, line }) => [name, title, line]),
  ).toEqual([
    ['cut@1', 'notifications/progress', 2],
    ['cut@2', 'roots/list', 3],
    ['cut@3', 'answer to tools/call "add"', 5],
    ['error-reply@3', 'answer to tools/call "add"', 5],
  ]);
});

it('an answer is lost where it does not come, and not where it is only odd', () => {
  const losing = faultMatrix(session, named(['drop', 'duplicate'])).filter(({ loses }) => loses);
  // The answer waits for that to the question.
  expect(losing.map(({ name }) => name)).toEqual(['drop@2', 'drop@3']);
});

it('a delay takes every answer away for a time, and no answer is lost that the client had cancelled', () => {
  const delayed = faultMatrix(session, named(['latency'])).map(({ name, loses }) => [name, loses?.isDelayed]);
  expect(delayed).toEqual([
    ['latency@1', true],
    ['latency@2', true],
    ['latency@3', true],
  ]);
  const cancelled = cassette(client(call(1, 'add')), client(cancel(1)), server(result(1, 'sum')));
  expect(faultMatrix(cancelled, named(['drop', 'latency'])).filter(({ loses }) => loses)).toEqual([]);
});

it('after the end of a session or a stream, the answer to an open request is lost', () => {
  const messages = [
    client(call(1, 'add', {}, 1)),
    server(progress(1, 1)),
    server(result(1, 'sum')),
    server(notification('tools/list_changed')),
  ];
  const losing = (...streams: (number | undefined)[]) => {
    const frames = messages.map((one, at) => ({ ...one, ...(streams[at] !== undefined && { stream: streams[at] }) }));
    return faultMatrix(cassette(...frames), named(['end', 'drop']))
      .filter(({ loses }) => loses)
      .map(({ name, loses }) => [name, loses?.isLater ?? false]);
  };
  const answer = ['end@2', false];
  expect(losing()).toEqual([['end@1', true], answer, ['drop@2', false]]);
  expect(losing(1, 1, 1, 2)).toEqual([['end@1', true], answer, ['drop@2', false]]);
  // The progress came on another stream.
  expect(losing(1, 2, 1, 2)).toEqual([answer, ['drop@2', false]]);
});

it('a point is a file of faults that fires once, at its message', () => {
  expect(rulesFileOf(faultMatrix(session, named(['junk']))[0]!)).toEqual({
    seed: 1,
    faults: [{ do: 'junk', when: { from: 'server', line: 2, nth: 1 }, times: 1 }],
  });
});

it('where an answer is lost, rules that change nothing watch for its request and for it', () => {
  const point = rulesFileOf(faultMatrix(session, named(['cut']))[2]!) as { faults: object[] };
  const asked = { '/params/name': 'add' };
  expect(point.faults.slice(1)).toEqual([
    { do: 'observe', when: { from: 'client', kind: 'request', method: 'tools/call', at: asked } },
    {
      do: 'observe',
      when: { from: 'server', kind: 'response', method: 'tools/call', at: { '/result': { text: 'sum' } } },
    },
  ]);
});

it.each(['stdio', 'http'] as const)('each fault over %s can be swept by its name', (transport) => {
  for (const [name, { transports, noticedBy }] of FAULTS) {
    // A sweep of a client refuses it.
    if (noticedBy === 'sender') continue;
    if (transports !== undefined && !transports.includes(transport)) continue;
    const [point] = faultMatrix(session, named([name]));
    const rules = () => parseFaultRules(rulesFileOf(point!), { name: 'point', transport });
    if (point !== undefined) expect(rules, name).not.toThrow('is missing');
  }
});

it('over HTTP a connection is reset, too, and a request answered with a status', () => {
  const more = sweptOn('http').filter((fault) => !sweptOn('stdio').includes(fault));
  expect(more).toEqual(['reset', 'http-status']);
  expect(faultMatrix(session, named(more)).map(({ name, loses }) => [name, loses !== undefined])).toEqual([
    ['reset@1', true],
    ['reset@2', true],
    ['reset@3', true],
    // No status can take the place of what the server sends by itself.
    ['http-status@3', true],
  ]);
  const [status] = faultMatrix(session, named(['http-status']));
  const { rules } = parseFaultRules(rulesFileOf(status!), { name: 'point', transport: 'http' });
  expect(rules[0]).toMatchObject({ fault: { values: { status: 503 } } });
});

it('a fault of requests happens to the request that the message answers, whatever else the client asks for', () => {
  const calls = cassette(
    client(request(0, 'initialize')),
    server(result(0, '')),
    client(call(1, 'add')),
    client(call(2, 'sub')),
    client(call(3, 'add')),
    server(result(3, '')),
    server(result(2, '')),
    server(result(1, '')),
  );
  const rulesOf = (fault: string) =>
    faultMatrix(calls, [{ name: fault, params: {} }]).map((point) => {
      const { faults } = rulesFileOf(point) as { faults: object[] };
      return [point.name, point.loses !== undefined, faults[0]];
    });
  const add = { from: 'client', kind: 'request', method: 'tools/call', tool: 'add', after: 0 };
  const rule = (fault: string, when: object) => ({ do: fault, when, times: 1 });
  expect(rulesOf('session-lost')).toEqual([
    // The first request is in no session yet.
    ['session-lost@2', true, rule('session-lost', { ...add, nth: 2 })],
    ['session-lost@3', true, rule('session-lost', { ...add, tool: 'sub', nth: 1 })],
    ['session-lost@4', true, rule('session-lost', { ...add, nth: 1 })],
  ]);
  expect(rulesOf('token-refused').map(([name]) => name)).toEqual([1, 2, 3, 4].map((n) => `token-refused@${n}`));
  expect(rulesOf('down')).toEqual([['down@1', true, rule('down', { kind: 'start' })]]);
  for (const fault of ['slow-close', 'ignore-cancel', 'oauth-error', 'wrong-issuer'])
    expect(rulesOf(fault)).toEqual([]);
});
