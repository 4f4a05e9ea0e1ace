import { expect, it } from 'vitest';
import { parseShortRule } from '../../../src/faults/rules/parse-fault-rules.ts';
import { ROUTES } from '../../../src/mock/control/control-routes.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { controlled, MODERN } from './controlled.ts';
import { answered, description } from './described-api.ts';

const free = freeNames(temporaryFolder());
const FORECAST = `format: mcp-record-mock/1
tools:
- name: weather
  answers:
  - when: { city: Oslo }
    returns: Rain.
`;
const start = (options: Parameters<typeof controlled>[1] = {}) => controlled(free(), options);

it('says that it is ready, and where', async () => {
  const { api, url } = await start();
  expect((await api('GET /health')).body).toEqual({
    ready: true,
    cassette: expect.stringMatching(/cassette-\d+\.yaml$/),
    transport: 'http',
    url,
    protocol: ['2025-11-25'],
    pid: process.pid,
  });
});

it('gives what clients have sent, with headers and the number of the session', async () => {
  const { api, connect, call } = await start();
  const [first, second] = [await connect(), await connect()];
  await call(first, 'Oslo');
  await call(second, 'Rome');
  const { entries } = (await api('GET /journal')).body;
  expect(entries.map((one: { method: string; session: number }) => [one.method, one.session])).toEqual([
    ['initialize', 1],
    ['notifications/initialized', 1],
    ['initialize', 2],
    ['notifications/initialized', 2],
    ['tools/call', 1],
    ['tools/call', 2],
  ]);
  const calls = (await api('GET /journal?method=tools/call')).body.entries;
  expect(calls).toHaveLength(2);
  expect(calls[1]).toMatchObject({
    kind: 'request',
    params: { name: 'weather', arguments: { city: 'Rome' } },
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
  });
});

it('waits for a message with members in its params, and says what came where it did not', async () => {
  const { api, connect, call } = await start();
  const rome = api('POST /journal/wait', { method: 'tools/call', params: { arguments: { city: 'Rome' } } });
  const peer = await connect();
  await call(peer, 'Oslo');
  await call(peer, 'Rome');
  expect((await rome).body.entry.params.arguments).toEqual({ city: 'Rome' });
  const third = await api('POST /journal/wait', { method: 'tools/call', count: 3, timeoutMs: 1 });
  expect(third.status).toBe(504);
  expect(third.body.error).toMatchObject({
    code: 'WAIT_TIMED_OUT',
    message: 'Waited 1 ms for tools/call (3 of it): only 2 came.',
    next: 'Received 4 messages: initialize, notifications/initialized, tools/call ×2. See that the client sends it, or wait longer with "timeoutMs".',
  });
});

it('waits for a text by a regular expression, as a handler is chosen', async () => {
  const { api, connect, call } = await start();
  const peer = await connect();
  await call(peer, 'Rome');
  await call(peer, 'Oslo');
  const wait = (city: unknown) =>
    api('POST /journal/wait', { method: 'tools/call', params: { arguments: { city } }, timeoutMs: 1 });
  expect((await wait('/^o/i')).body.entry.params.arguments).toEqual({ city: 'Oslo' });
  expect((await wait('/^B/')).body.error).toMatchObject({
    code: 'WAIT_TIMED_OUT',
    message: expect.stringContaining('/arguments/city is "Rome", not /^B/'),
  });
  for (const [city, why] of [
    ['/(a)\\1/', 'is not a regular expression'],
    ['/a/g', 'has flags that an expression has not'],
    ['/^a/x', 'has flags that an expression has not'],
    ['/a\\d/U', 'has flags that an expression has not'],
  ] as const)
    expect(await wait(city)).toMatchObject({
      status: 400,
      body: { error: { pointer: '/params/arguments/city', message: expect.stringContaining(why) } },
    });
});

it.each<[request: string, body: object]>([
  ['POST /fail-next', { method: 'tool/call', status: 503 }],
  ['POST /request', { method: 'tool/call' }],
  ['POST /notify', { method: 'notifications/tools/list_chnaged' }],
])('refuses a method that is misspelt: %s', async (request, body) => {
  const { api } = await start();
  const { status, body: answer } = await api(request, body);
  expect(status).toBe(400);
  expect(answer.error).toMatchObject({
    code: 'CONTROL_BAD_VALUE',
    pointer: '/method',
    next: expect.stringMatching(/^Did you mean "(notifications\/)?tools\//),
  });
});

it.each([
  ['in short', 'cut:tool/call', '/faults/0'],
  ['as in a file', { do: 'cut', when: { method: 'initialise' } }, '/faults/0/when/method'],
])('refuses a fault whose method is misspelt, %s', async (_, fault, pointer) => {
  const { api } = await start();
  const { status, body } = await api('PUT /faults', { faults: [fault] });
  expect([status, body.error.code]).toEqual([400, 'FAULT_BAD_RULE']);
  expect(body.error).toMatchObject({
    pointer: expect.stringContaining(pointer),
    next: expect.stringMatching(/^Did you mean "(tools\/call|initialize)"\?$/),
  });
  expect((await api('GET /faults')).body.faults).toEqual([]);
});

it('does not say that nothing came of a method that is misspelt', async () => {
  const { api } = await start();
  expect((await api('GET /journal?method=prompts/get')).body).toEqual({ entries: [] });
  const { status, body } = await api('GET /journal?method=tool/call');
  expect([status, body.error.code, body.error.next]).toEqual([400, 'JOURNAL_BAD_QUERY', 'Did you mean "tools/call"?']);
});

it('says how the nearest message differs, and asks whether a method is misspelt', async () => {
  const { api, connect, call } = await start();
  await call(await connect(), 'Oslo');
  const wanted = { method: 'tools/call', params: { arguments: { city: 'Rome' } }, timeoutMs: 1 };
  expect((await api('POST /journal/wait', wanted)).body.error.message).toBe(
    'Waited 1 ms for tools/call {"arguments":{"city":"Rome"}}: 1 came with other params: /arguments/city is "Oslo", not "Rome".',
  );
  const { error } = (await api('POST /journal/wait', { method: 'tool/call', timeoutMs: 1 })).body;
  expect(error.next).toContain('Did you mean tools/call? Received 3 messages');
});

it('says how it goes while it goes on: a miss fails, what has not come yet is unused', async () => {
  const { api, connect, call, finish } = await start();
  const peer = await connect();
  await call(peer, 'Oslo');
  expect((await api('GET /findings')).body).toEqual({
    failed: false,
    findings: [{ kind: 'unused', text: expect.stringContaining('1 recorded request never came'), fails: false }],
  });
  await call(peer, 'Rome');
  expect((await api('GET /findings')).body).toEqual({ failed: false, findings: [] });
  await expect(call(peer, 'Bonn')).rejects.toThrow();
  const { failed, findings } = (await api('GET /findings')).body;
  expect(failed).toBe(true);
  expect(findings).toEqual([
    {
      kind: 'miss',
      text: expect.stringContaining('tools/call'),
      fails: true,
      expected: expect.anything(),
      actual: expect.anything(),
      varies: expect.any(String),
    },
  ]);
  expect(await finish()).toMatchObject({ hasFailed: true });
});

it('fails what is unused where it is strict', async () => {
  const { api } = await start({ strict: true });
  expect((await api('GET /findings')).body).toMatchObject({
    failed: true,
    findings: [{ kind: 'unused', fails: true }],
  });
});

it('begins anew for the next test, with nothing of the one before, and does not forget that it failed', async () => {
  const { api, connect, call, finish } = await start();
  const peer = await connect();
  await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'sunny' }] });
  await api('PUT /faults', { faults: ['error-reply:tools/call:times=1'] });
  await expect(call(peer, 'Oslo')).rejects.toThrow('Injected');
  await expect(peer.request('tools/call', { name: 'wether' })).rejects.toThrow();
  expect((await api('POST /reset')).body).toMatchObject({
    failed: true,
    findings: expect.arrayContaining([expect.objectContaining({ kind: 'miss' })]),
  });
  expect((await api('GET /journal')).body).toEqual({ entries: [] });
  expect((await api('GET /handlers')).body).toEqual({ handlers: [], answered: [] });
  expect((await api('GET /faults')).body).toEqual({ seed: 0, faults: [], fired: [] });
  await expect(call(peer, 'Oslo')).rejects.toThrow(/session/i);
  await api('POST /reset');
  const next = await connect();
  expect(await call(next, 'Oslo')).toBe('Oslo has 20 degrees');
  expect((await api('POST /reset')).body).toMatchObject({ failed: false });
  expect(await finish()).toMatchObject({ outcome: { failed: false }, hasFailed: true });
});

it('misbehaves by rules in short and as in a file, and says which have happened', async () => {
  const { api, connect, call } = await start();
  const peer = await connect();
  const put = await api('PUT /faults', {
    seed: 7,
    faults: [
      'error-reply:tools/call:code=-32000,message=busy',
      { do: 'drop', when: { method: 'ping' } },
      'oversize:tools/call:bytes=20',
    ],
  });
  expect(put.body).toMatchObject({
    seed: 7,
    faults: [
      { do: 'error-reply', code: -32000, message: 'busy', when: { method: 'tools/call' } },
      { do: 'drop', when: { method: 'ping' } },
      { do: 'oversize', bytes: 20 },
    ],
    fired: [],
  });
  await expect(call(peer, 'Oslo')).rejects.toThrow('busy');
  const { fired, seed } = (await api('DELETE /faults')).body;
  expect([seed, fired]).toEqual([
    7,
    [expect.objectContaining({ rule: 1, fault: 'error-reply', method: 'tools/call' })],
  ]);
  expect(await call(peer, 'Oslo')).toBe('Oslo has 20 degrees');
  const { failed, findings } = (await api('GET /findings')).body;
  expect([failed, findings.filter(({ fails }: { fails: boolean }) => fails)]).toEqual([
    true,
    [
      { kind: 'unfired', text: 'Rule 2 (drop) never fired.', fails: true },
      {
        kind: 'unfired',
        text: expect.stringMatching(/^Rule 3 \(oversize\) never fired: the message had \d+ bytes already/),
        fails: true,
      },
    ],
  ]);
});

it('takes the faults that it was given back up after a reset; they need not happen unless it is said', async () => {
  const rules = [parseShortRule('error-reply:tools/call', 'http')];
  const lenient = await start({ rules });
  await lenient.api('DELETE /faults');
  expect((await lenient.api('POST /reset')).body.failed).toBe(false);
  await expect(lenient.call(await lenient.connect(), 'Oslo')).rejects.toThrow('Injected');
  expect((await lenient.api('GET /faults')).body).toMatchObject({
    faults: [{ do: 'error-reply' }],
    fired: [{ rule: 1 }],
  });
  const strict = await start({ rules, isInitialRequired: true });
  expect((await strict.api('POST /reset')).body.failed).toBe(true);
});

it('fails a test whose handlers were not all called, unless they are optional', async () => {
  const { api, connect, call } = await start();
  const handlers = [
    { tool: 'wether', returns: 'sunny' },
    { tool: 'tides', returns: 'low', optional: true },
  ];
  await api('PUT /handlers', { handlers });
  expect(await call(await connect(), 'Oslo')).toBe('Oslo has 20 degrees');
  const text = 'The handler of tools/call "wether" (/handlers/0) was never called. The client asked for "weather".';
  for (const request of ['GET /findings', 'POST /reset']) {
    const { failed, findings } = (await api(request)).body;
    expect(failed).toBe(true);
    expect(findings.filter(({ fails }: { fails: boolean }) => fails)).toEqual([{ kind: 'unfired', text, fails: true }]);
  }
  expect((await api('GET /findings')).body.failed).toBe(false);
});

it('says of a fault that is wrong what was meant, and where it stands', async () => {
  const { api } = await start();
  const put = async (...faults: unknown[]) => (await api('PUT /faults', { faults })).body.error;
  expect(await put('cut', { do: 'ltency' })).toMatchObject({
    code: 'FAULT_UNKNOWN',
    pointer: '/faults/1/do',
    next: 'Did you mean "latency"?',
  });
  expect(await put({ do: 'drop', when: { metod: 'x' } })).toMatchObject({
    code: 'FAULT_BAD_RULE',
    pointer: '/faults/0/when/metod',
  });
  expect(await put({ do: 'stderr-flood' })).toMatchObject({ code: 'FAULT_NO_MEANING', pointer: '/faults/0/do' });
  expect((await api('GET /faults')).body.faults).toEqual([]);
});

it('ends sessions, so that a client has to initialize anew', async () => {
  const { api, connect, call, url } = await start();
  const peer = await connect();
  expect((await api('POST /sessions/expire')).body).toEqual({ expired: 1 });
  const [{ headers }] = (await api('GET /journal?method=notifications/initialized')).body.entries;
  const { 'mcp-session-id': session } = headers as { 'mcp-session-id': string };
  const known = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = '{"jsonrpc":"2.0","id":9,"method":"ping"}';
  const again = await fetch(url, { method: 'POST', headers: { ...known, 'mcp-session-id': session }, body });
  expect(again.status).toBe(404);
  await expect(call(peer, 'Oslo')).rejects.toThrow(/session/i);
  expect(await call(await connect(), 'Oslo')).toBe('Oslo has 20 degrees');
  expect((await api('GET /findings')).body.failed).toBe(false);
});

it('has no sessions to end where the cassette is of 2026-07-28', async () => {
  const { api } = await start({ text: MODERN });
  expect((await api('GET /health')).body.protocol).toEqual(['2026-07-28']);
  expect(await api('POST /sessions/expire')).toMatchObject({
    status: 409,
    body: { error: { code: 'CONTROL_NOT_HERE' } },
  });
});

it('fails the next requests of a method with an error, with the handlers untouched', async () => {
  const { api, connect, call } = await start();
  const peer = await connect();
  await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'sunny', once: true, optional: true }] });
  const error = { code: -32000, message: 'over quota', data: { left: 0 } };
  expect((await api('POST /fail-next', { method: 'tools/call', times: 2, error })).body).toEqual({
    method: 'tools/call',
    times: 2,
  });
  await expect(call(peer, 'Oslo')).rejects.toMatchObject({ code: -32000, data: { left: 0 } });
  expect((await api('GET /findings')).body.findings).toContainEqual({
    kind: 'unfired',
    text: '2 requests of tools/call should have failed: 1 came.',
    fails: true,
  });
  await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'rainy' }] });
  await expect(call(peer, 'Oslo')).rejects.toThrow('over quota');
  expect(await call(peer, 'Oslo')).toBe('rainy');
  expect((await api('POST /reset')).body.failed).toBe(false);
});

it('fails the next requests of a method with a status of HTTP, before they count as asked', async () => {
  const { api, connect, url } = await start();
  await api('POST /fail-next', { method: 'initialize', status: 503 });
  const body = '{"jsonrpc":"2.0","id":1,"method":"initialize"}';
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await api('GET /journal?method=initialize')).body.entries).toHaveLength(1);
  await connect();
  expect((await api('GET /findings')).body.failed).toBe(false);
});

it('fails requests in the order in which it was told', async () => {
  const { api, connect, call } = await start();
  const peer = await connect();
  const failNext = (answer: object) => api('POST /fail-next', { method: 'tools/call', ...answer });
  await failNext({ error: { code: 1, message: 'first' } });
  await failNext({ status: 500 });
  await failNext({ error: { code: 1, message: 'third' } });
  await expect(call(peer, 'Oslo')).rejects.toThrow('first');
  await expect(call(peer, 'Oslo')).rejects.toThrow('Internal Server Error');
  await expect(call(peer, 'Oslo')).rejects.toThrow('third');
  expect(await call(peer, 'Oslo')).toBe('Oslo has 20 degrees');
});

it('forgets at a reset what should have failed', async () => {
  const { api, connect, call } = await start();
  await api('POST /fail-next', { method: 'tools/call', error: { code: 1, message: 'no' } });
  await api('POST /fail-next', { method: 'tools/call', status: 500 });
  expect(
    (await api('POST /reset')).body.findings.filter(({ kind }: { kind: string }) => kind === 'unfired'),
  ).toHaveLength(2);
  expect(await call(await connect(), 'Oslo')).toBe('Oslo has 20 degrees');
});

it('speaks of the answers after a failure that is used up, and not of the failure', async () => {
  const { api, connect, call } = await controlled(free(), { text: FORECAST, isMockFile: true });
  const peer = await connect();
  await api('POST /fail-next', { method: 'tools/call', error: { code: 1, message: 'busy' } });
  await expect(call(peer, 'Oslo')).rejects.toThrow('busy');
  await expect(call(peer, 'Rome')).rejects.toThrow('tools/call "weather" with {"city":"Rome"}: that of ');
  await expect(peer.request('tools/call', { name: 'wether' })).rejects.toThrow('Unknown tool: wether');
  const texts = (await api('GET /findings')).body.findings.map((one: { text: string }) => one.text);
  expect(texts).toEqual([
    expect.stringMatching(/with \{"city":"Rome"\}: that of \S+:5 answers \{"city":"Oslo"\}\.$/),
    'No handler answers tools/call "wether": did you mean "weather"?',
  ]);
  await api('PUT /handlers', { handlers: [] });
  expect((await api('POST /reset')).body.findings.map((one: { kind: string }) => one.kind)).toEqual(['miss', 'miss']);
});

it('notifies clients, and asks them', async () => {
  const { api, connect } = await start();
  expect((await api('POST /notify', { method: 'notifications/tools/list_changed' })).body).toEqual({ sessions: 0 });
  expect(await api('POST /request', { method: 'roots/list' })).toMatchObject({
    status: 409,
    body: { error: { code: 'MOCK_NO_CLIENT' } },
  });
  const peer = await connect();
  expect(
    (await api('POST /notify', { method: 'notifications/message', params: { level: 'info', data: 'hi' } })).body,
  ).toEqual({ sessions: 1 });
  expect((await api('POST /request', { method: 'roots/list' })).body).toEqual({ result: { roots: expect.any(Array) } });
  expect((await api('POST /request', { method: 'no/such' })).body).toEqual({
    error: { code: -32601, message: expect.any(String) },
  });
  const { entries } = (await api('GET /journal?method=roots/list')).body;
  expect(entries).toEqual([expect.objectContaining({ kind: 'answer', to: 'roots/list', session: 1 })]);
  expect(peer.heard).toBeDefined();
});

it('does not wait for ever for a client that does not answer, nor for one that is gone', async () => {
  const { api, url } = await start();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'deaf', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const session = (await fetch(url, { method: 'POST', headers, body })).headers.get('mcp-session-id')!;
  const answer = await api('POST /request', { method: 'ping', timeoutMs: 1 });
  expect([answer.status, answer.body.error.code]).toEqual([504, 'CONTROL_NO_ANSWER']);
  const stream = await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
  const left = api('POST /request', { method: 'roots/list' });
  let heard = '';
  for await (const piece of stream.body!) {
    heard += Buffer.from(piece).toString();
    if (heard.includes('roots/list')) break;
  }
  await api('POST /sessions/expire');
  expect((await left).body.error).toMatchObject({
    code: 'CONTROL_NO_ANSWER',
    message: expect.stringContaining('The client has left'),
  });
});

it('leaves all to the cassette without handlers', async () => {
  const { api, connect, call } = await start();
  await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'sunny' }] });
  const peer = await connect();
  expect(await call(peer, 'Oslo')).toBe('sunny');
  expect((await api('GET /handlers')).body.answered).toEqual([1]);
  expect((await api('DELETE /handlers')).body).toEqual({ handlers: [], answered: [] });
  expect(await call(peer, 'Oslo')).toBe('Oslo has 20 degrees');
});

it('describes every path and method that it serves, and each has answered', () => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = Object.entries(ROUTES).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(served.sort()).toEqual(operations.sort());
  expect([...answered].sort()).toEqual(operations);
});
