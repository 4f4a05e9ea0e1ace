import { describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { controlled } from './controlled.ts';

const free = freeNames(temporaryFolder());
const start = () => controlled(free());

describe('a handler as data', () => {
  it('answers calls whose arguments have its members, and leaves the others to the cassette', async () => {
    const { api, connect, call } = await start();
    const handlers = [
      { tool: 'weather', arguments: { city: 'Oslo' }, returns: 'snow', once: true },
      { tool: 'weather', arguments: { city: 'Oslo' }, returns: 'sun' },
    ];
    expect((await api('PUT /handlers', { handlers })).body).toEqual({ handlers, answered: [0, 0] });
    const peer = await connect();
    const said = [await call(peer, 'Oslo'), await call(peer, 'Oslo'), await call(peer, 'Rome')];
    expect(said).toEqual(['snow', 'sun', 'Rome has 30 degrees']);
    expect((await api('GET /handlers')).body.answered).toEqual([1, 1]);
    expect((await api('GET /findings')).body).toEqual({ failed: false, findings: [] });
  });

  it('has patterns and templates, as a mock file has', async () => {
    const { api, connect, call } = await start();
    const handlers = [
      { tool: 'weather', arguments: { city: '/^[OB]/' }, returns: '{{/params/arguments/city}} is cold' },
    ];
    await api('PUT /handlers', { handlers });
    const peer = await connect();
    expect([await call(peer, 'Oslo'), await call(peer, 'Rome')]).toEqual(['Oslo is cold', 'Rome has 30 degrees']);
    for (const bad of [{ arguments: { city: '/(?=a)/' }, returns: 'a' }, { returns: '{{nwo}}' }])
      expect((await api('PUT /handlers', { handlers: [{ tool: 'weather', ...bad }] })).status).toBe(400);
  });

  it.each([
    ['a text', 'sunny', { content: [{ type: 'text', text: 'sunny' }] }],
    ['a number', 20, { content: [{ type: 'text', text: '20' }] }],
    ['content blocks', [{ type: 'text', text: 'a' }], { content: [{ type: 'text', text: 'a' }] }],
    [
      'structured content',
      { degrees: 20 },
      { content: [{ type: 'text', text: '{"degrees":20}' }], structuredContent: { degrees: 20 } },
    ],
    ['a whole result', { content: [], isError: true }, { content: [], isError: true }],
  ])('of a tool returns %s', async (_, returns, result) => {
    const { api, connect } = await start();
    await api('PUT /handlers', { handlers: [{ tool: 'weather', returns }] });
    expect(await (await connect()).request('tools/call', { name: 'weather' })).toEqual(result);
  });

  it('answers with an error of JSON-RPC, and takes its time', async () => {
    const { api, connect, call } = await start();
    const error = { code: -32050, message: 'no {{/params/arguments/city}}', data: [1] };
    await api('PUT /handlers', { handlers: [{ tool: 'weather', error, delayMs: 5 }] });
    const failed = { code: -32050, message: expect.stringContaining('no Oslo'), data: [1] };
    await expect(call(await connect(), 'Oslo')).rejects.toMatchObject(failed);
    expect((await api('GET /findings')).body.findings).toEqual([
      expect.objectContaining({ kind: 'unused', fails: false }),
    ]);
  });

  it('is one of a resource, a prompt, or any method', async () => {
    const { api, connect } = await start();
    const handlers = [
      { resource: 'file:///notes.txt', returns: 'my notes', mimeType: 'text/plain', name: 'notes' },
      { prompt: 'greet', arguments: { name: 'Ann' }, returns: 'Greet Ann.', description: 'Greets.' },
      {
        request: 'completion/complete',
        params: { argument: { value: 'O' } },
        returns: { completion: { values: ['Oslo'] } },
      },
      {
        tool: 'clock',
        description: 'Tells the time.',
        inputSchema: { type: 'object', properties: {} },
        returns: 'noon',
      },
    ];
    expect((await api('PUT /handlers', { handlers })).status).toBe(200);
    const peer = await connect();
    expect(await peer.request('resources/read', { uri: 'file:///notes.txt' })).toEqual({
      contents: [{ uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'my notes' }],
    });
    expect(await peer.request('prompts/get', { name: 'greet', arguments: { name: 'Ann' } })).toMatchObject({
      messages: [{ content: { text: 'Greet Ann.' } }],
    });
    await expect(peer.request('prompts/get', { name: 'greet', arguments: { name: 'Bob' } })).rejects.toThrow();
    const ref = { type: 'ref/prompt', name: 'greet' };
    expect(await peer.request('completion/complete', { ref, argument: { name: 'city', value: 'O' } })).toEqual({
      completion: { values: ['Oslo'] },
    });
  });

  it('that has not answered when its session ends fails the test', async () => {
    const { api, connect, call } = await start();
    await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'late', delayMs: 60_000 }] });
    const open = call(await connect(), 'Oslo').catch((error: Error) => error);
    await api('POST /journal/wait', { method: 'tools/call' });
    const { failed, findings } = (await api('POST /reset')).body;
    expect([failed, findings[0].text]).toEqual([
      true,
      expect.stringMatching(/^The handler of tools\/call "weather" \(\/handlers\/0\) has not answered, and .*timeout/),
    ]);
    expect(await open).toBeInstanceOf(Error);
  });
});

describe('a handler that is wrong', () => {
  const refusal = async (handlers: unknown) => {
    const { api } = await start();
    const { status, body } = await api('PUT /handlers', { handlers });
    expect(status).toBe(400);
    const { code, message, next, pointer } = body.error;
    return { code, message, next, pointer };
  };
  const CASES: [what: string, handler: unknown, error: object][] = [
    [
      'is no object',
      'add',
      { pointer: '/handlers/0', message: 'Cannot use /handlers/0 of the request: it is no object.' },
    ],
    [
      'does not say what it answers',
      { returns: 1 },
      { pointer: '/handlers/0', next: expect.stringContaining('tool, resource, prompt, request') },
    ],
    [
      'answers two things',
      { tool: 'a', prompt: 'b', returns: 1 },
      { code: 'CONTROL_UNKNOWN_KEY', pointer: '/handlers/0/prompt' },
    ],
    [
      'has a member that is misspelt',
      { tool: 'a', retruns: 1 },
      { pointer: '/handlers/0/retruns', next: 'Did you mean "returns"?' },
    ],
    [
      'has a member of another kind',
      { resource: 'a', inputSchema: {}, returns: 1 },
      { code: 'CONTROL_UNKNOWN_KEY', pointer: '/handlers/0/inputSchema' },
    ],
    ['has a member with a slash', { tool: 'a', 'a/b~c': 1, returns: 1 }, { pointer: '/handlers/0/a~1b~0c' }],
    ['has no name', { tool: '', returns: 1 }, { pointer: '/handlers/0/tool' }],
    ['neither returns nor fails', { tool: 'a' }, { message: expect.stringContaining('either "returns" or "error"') }],
    ['returns and fails', { tool: 'a', returns: 1, error: { code: 1, message: 'x' } }, { pointer: '/handlers/0' }],
    ['returns what is no result', { request: 'x/y', returns: 'text' }, { pointer: '/handlers/0/returns' }],
    ['returns blocks without a type', { tool: 'a', returns: [{ text: 'x' }] }, { pointer: '/handlers/0/returns' }],
    [
      'returns blocks of a type that is none',
      { tool: 'a', returns: [{ type: 'txt', text: 'x' }] },
      { pointer: '/handlers/0/returns', message: expect.stringContaining('did you mean "text"?') },
    ],
    [
      'returns what does not fit its outputSchema',
      { tool: 'a', outputSchema: { type: 'object', required: ['sum'] }, returns: { total: 1 } },
      { pointer: '/handlers/0/returns', message: expect.stringContaining("required property 'sum'") },
    ],
    ['returns null', { tool: 'a', returns: null }, { pointer: '/handlers/0/returns' }],
    ['has an error without a code', { tool: 'a', error: { message: 'x' } }, { pointer: '/handlers/0/error/code' }],
    [
      'has an error with a code that is text',
      { tool: 'a', error: { code: '1', message: 'x' } },
      { pointer: '/handlers/0/error/code' },
    ],
    ['has an error without a message', { tool: 'a', error: { code: 1 } }, { pointer: '/handlers/0/error/message' }],
    [
      'has arguments that are no object',
      { tool: 'a', arguments: [], returns: 1 },
      { pointer: '/handlers/0/arguments' },
    ],
    ['has a once that is no flag', { tool: 'a', once: 'yes', returns: 1 }, { pointer: '/handlers/0/once' }],
    ['has a delay that is none', { tool: 'a', delayMs: -1, returns: 1 }, { pointer: '/handlers/0/delayMs' }],
    ['has a schema that is none', { tool: 'a', inputSchema: true, returns: 1 }, { pointer: '/handlers/0/inputSchema' }],
    [
      'has a schema of no object',
      { tool: 'a', inputSchema: { type: 'string' }, returns: 1 },
      { pointer: '/handlers/0/inputSchema' },
    ],
    ['answers a notification', { request: 'notifications/x', returns: {} }, { pointer: '/handlers/0/request' }],
    [
      'has a misspelt method',
      { request: 'tool/call', returns: {} },
      { code: 'CONTROL_BAD_VALUE', pointer: '/handlers/0/request', next: 'Did you mean "tools/call"?' },
    ],
    [
      'has a template that names no member of a request',
      { tool: 'a', returns: '{{/parms/arguments/x}}' },
      { pointer: '/handlers/0/returns', next: expect.stringContaining('{{/params/arguments/x}}?') },
    ],
    [
      'has a template that names no param of its method',
      { tool: 'a', returns: { x: ['{{/params/argumnets/x}}'] } },
      { pointer: '/handlers/0/returns/x/0', next: expect.stringContaining('{{/params/arguments/x}}?') },
    ],
    [
      'has an error with a template that names nothing',
      { tool: 'a', error: { code: 1, message: 'at {{nwo}}' } },
      { pointer: '/handlers/0/error/message', next: expect.stringContaining('{{now}}') },
    ],
  ];

  it.each(CASES)('%s', async (_, handler, error) => {
    expect(await refusal([handler])).toMatchObject(error);
  });

  it('leaves those before in place', async () => {
    const { api, connect, call } = await start();
    await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'sunny' }] });
    expect((await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'x' }, {}] })).status).toBe(400);
    expect(await call(await connect(), 'Oslo')).toBe('sunny');
  });

  it('is in a list', async () => {
    expect(await refusal({ tool: 'a', returns: 1 })).toMatchObject({ pointer: '/handlers' });
  });
});
