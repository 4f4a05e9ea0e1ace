import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Handler, mockClient, mockServer, prompt, request, resource, tool } from '../../../src/adapters/mock.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';

/** What a mock server finds where a handler answers a request: each text without the name of the handler. */
/** Params that `completion/complete` has to have. */
const COMPLETED = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };

async function findingsOf(handler: Handler, params: object = {}): Promise<string[]> {
  const server = await mockServer({ handlers: [handler] });
  const peer = await sdk1Over(server.transport);
  await peer
    .request(handler.method, { name: handler.name ?? 't', uri: handler.name, ...COMPLETED, ...params })
    .catch(() => {});
  await peer.close();
  return (await server.finish()).failures.map(({ text }) =>
    text.replace(/^.*convert-handler-result\.test\.ts:\d+\) /, ''),
  );
}

const text = { type: 'text', text: 'a' };
const image = { type: 'image', data: '', mimeType: 'image/png' };
const embedded = { type: 'resource', resource: { uri: 'a:b', text: 'a' } };
const circle: Record<string, unknown> = {};
circle.self = circle;

describe('what a tool returns fails the test where it is no result:', () => {
  it.each([
    [[{ type: 'txt', text: 'a' }], 'content[0] has the type "txt", which content does not have: did you mean "text"?'],
    [[text, { type: 'text' }], 'content[1] has no text (a string)'],
    [[{ type: 'text', text: 5 }], 'content[0] has a text that is not a string'],
    [[{ type: 'image', mimeType: 'image/png' }], 'content[0] has no data (a string)'],
    [
      [{ ...image, mimeType: undefined, mimetype: 'image/png' }],
      'has no mimeType (a string): did you mean it by mimetype?',
    ],
    [[{ type: 'resource', resource: { text: 'a' } }], 'content[0] has a resource that has no uri (a string)'],
    [[{ type: 'resource', resource: { uri: 'a:b' } }], 'content[0] has a resource that has no text (a string)'],
    [[{ type: 'toString' }], 'content[0] has the type "toString"'],
    [{ content: [], isError: 'yes' }, 'isError is not true or false'],
    [{ content: [text], iserror: true }, 'it has no member iserror: did you mean isError?'],
    [{ contents: [text], isError: true }, 'it has no member contents: did you mean content?'],
    [{ contents: [text] }, 'it has no member contents: did you mean content?'],
    [{ contnt: [] }, 'it has no member contnt: did you mean content?'],
    [{ structuredConten: { a: 1 } }, 'it has no member structuredConten: did you mean structuredContent?'],
    [{ is_error: true }, 'it has no member is_error: did you mean isError?'],
    [{ structuredContent: 'a' }, 'structuredContent is not an object'],
    [Number.NaN, 'returned NaN, which is no result'],
    [{ sum: Number.NaN }, 'sum is NaN'],
    [{ list: [1, Number.POSITIVE_INFINITY] }, 'list[1] is Infinity'],
    [{ list: [undefined] }, 'list[0] is undefined'],
    [{ x: Promise.resolve(1) }, 'x is a Promise'],
    [{ x: new Map() }, 'x is a Map'],
    [{ x: () => 1 }, 'x is a function'],
    [{ x: 1n }, 'x is a bigint'],
    [{ x: new Uint8Array(2) }, 'x is a Uint8Array'],
    [circle, 'self contains itself'],
  ])('%o', async (value, words) => {
    expect(await findingsOf(tool('t', () => value))).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    [[text, image, embedded, { type: 'resource_link', uri: 'a:b', name: 'b' }]],
    [{ content: [text], isError: true, _meta: {}, extra: 1 }],
    [{ content: [text], contents: [] }],
    [{ contents: [{ uri: 'a:b' }], hasError: true }],
    [{ structuredContent: { contents: [text] } }],
    [{ at: new Date(0), left: undefined, none: null, list: [] }],
    [{ resultType: 'task', taskId: 't' }],
    [{ twice: [text, text] }],
    [{ contents: [] }],
  ])('but not %o', async (value) => {
    expect(await findingsOf(tool('t', () => value))).toEqual([]);
  });

  it('a sum of arguments that did not come', async () => {
    expect(await findingsOf(tool('add', ({ a, b }) => a + b))).toEqual([
      'returned NaN, which is no result: return a text, a number, a list of content blocks, structured content, or a whole result.',
    ]);
  });

  it('and request(…) sends it', async () => {
    const send = (result: object) => findingsOf(request('tools/call', () => result));
    expect(await send({ content: [{ type: 'txt' }], iserror: 1 })).toEqual([]);
    expect(await send({ sum: Number.NaN })).toEqual([expect.stringContaining('sum is NaN')]);
  });
});

describe('what a prompt or resource returns fails the test where it is no result:', () => {
  it.each([
    [[{ role: 'usr', content: text }], 'messages[0] has the role "usr", which is neither "user" nor "assistant"'],
    [[{ role: 'user', content: 'a' }], 'messages[0] has a content that is no content block'],
    [[{ role: 'user', content: { type: 'txt' } }], 'messages[0] has a content that has the type "txt"'],
    [{ messages: [], descripton: 'a' }, 'it has no member descripton: did you mean description?'],
  ])('prompt %o', async (value, words) => {
    expect(await findingsOf(prompt('p', () => value))).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    [[{ uri: 'a:b' }], 'contents[0] has no text (a string)'],
    [[{ text: 'a' }], 'contents[0] has no uri (a string)'],
    [[{ uri: 'a:b', blob: new Uint8Array(1) }], 'blob is a Uint8Array'],
    [[{ uri: 'a:b', blob: 5 }], 'contents[0] has a blob that is not a string'],
  ])('resource %o', async (value, words) => {
    expect(await findingsOf(resource('a:b', () => value))).toEqual([expect.stringContaining(words)]);
  });

  it('but nothing that is one', async () => {
    const messages = [{ role: 'assistant', content: embedded }];
    expect(await findingsOf(prompt('p', () => ({ description: 'd', messages })))).toEqual([]);
    expect(await findingsOf(resource('a:b', () => [{ uri: 'a:b', blob: '' }]))).toEqual([]);
    expect(await findingsOf(resource('a:b', () => new Uint8Array(1)))).toEqual([]);
  });
});

describe('the outputSchema of a tool', () => {
  const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } as const;
  it.each([
    ['a JSON Schema', sum],
    ['a schema of zod', z.object({ sum: z.number() })],
  ])('that is %s is held by what its handler returns', async (_, outputSchema) => {
    const give = (value: unknown) => findingsOf(tool('t', () => value, { outputSchema }));
    expect(await give({ sum: 3 })).toEqual([]);
    expect(await give({ isError: true })).toEqual([]);
    expect(await give({ sum: '3' })).toEqual([
      expect.stringMatching(/its structured content does not fit its outputSchema: sum: .*number/),
    ]);
    expect(await give('3')).toEqual([
      'returned "3", which is no result: it has no structured content, which its outputSchema describes.',
    ]);
  });

  it('may describe what looks like a misspelt result', async () => {
    const options = { outputSchema: { type: 'object' } };
    expect(await findingsOf(tool('t', () => ({ contents: [text] }), options))).toEqual([]);
  });

  it('that is none fails the test', async () => {
    const options = { outputSchema: { type: 'object', properties: 5 } };
    expect(await findingsOf(tool('t', () => ({ a: 1 }), options))).toEqual([
      expect.stringContaining('outputSchema is no JSON Schema'),
    ]);
  });
});

it('a prompt without a required argument is answered with an error, as servers of the SDK do', async () => {
  const options = { arguments: [{ name: 'who', required: true }, { name: 'how' }] };
  const server = await mockServer({ handlers: [prompt('greet', ({ who }) => `Greet ${who}.`, options)] });
  const peer = await sdk1Over(server.transport);
  const message = expect.stringContaining('Invalid arguments for prompt greet: who is required');
  await expect(peer.request('prompts/get', { name: 'greet' })).rejects.toMatchObject({ code: -32602, message });
  expect(await peer.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' } })).toMatchObject({
    messages: [{ content: { text: 'Greet Ada.' } }],
  });
  await peer.close();
  expect((await server.finish()).failures).toMatchObject([
    {
      kind: 'invalid',
      text: expect.stringMatching(/"greet" with arguments that its definition \(.*\) forbids: who is req/),
    },
  ]);
});

describe('an error of the client to what a handler asks', () => {
  async function answerTo(handler: Handler) {
    const server = await mockServer({ over: 'http', handlers: [handler], onDifference: 'report' });
    const client = await mockClient({ server: { url: server.url }, onMiss: 'report', onDifference: 'report' });
    const answer = await client
      .request(handler.method, { name: handler.name })
      .catch(({ code, message }) => ({ code, message }));
    await client.finish();
    await server.finish();
    return answer;
  }
  const text =
    'The client answered sampling/createMessage with an error: Method not found: sampling/createMessage (-32601). It has not declared the capability sampling.';

  it('is one of the tool, or of the server, with the capability that the client lacks', async () => {
    const asks = tool('ask', async (_, { sample }) => (await sample({ messages: [], maxTokens: 1 })).model);
    expect(await answerTo(asks)).toEqual({ isError: true, content: [{ type: 'text', text }] });
    const other = prompt('ask', async (_, { sample }) => (await sample({ messages: [], maxTokens: 1 })).model);
    expect(await answerTo(other)).toEqual({ code: -32603, message: text });
  });

  it('has its code for the handler', async () => {
    const catches = tool('ask', (_, { sample }) =>
      sample({ messages: [], maxTokens: 1 }).catch(({ code, message }) => `${code} ${message}`),
    );
    expect(await answerTo(catches)).toMatchObject({
      content: [{ text: '-32601 Method not found: sampling/createMessage' }],
    });
  });
});

describe('what a mock client answers fails the test where it is no result:', () => {
  const sampled = { role: 'assistant', model: 'm', content: text };
  const revisions = ['2025-11-25', '2026-07-28'] as const;
  /** Params that the specification allows, so that only the answer is at fault. */
  const VALID_PARAMS: Record<string, object> = {
    'sampling/createMessage': { messages: [], maxTokens: 5 },
    'elicitation/create': { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
  };

  async function clientFindings(
    method: string,
    value: unknown,
    protocolVersion: (typeof revisions)[number],
    params?: Record<string, unknown>,
  ) {
    const asked = { ...VALID_PARAMS[method], ...params };
    const asks = tool('ask', async (_, { ask }) => JSON.stringify(await ask(method, asked).catch(String)));
    const server = await mockServer({ over: 'http', handlers: [asks] });
    const handlers = [request(method, () => value)];
    const capabilities = { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: {} };
    const client = await mockClient({ server: { url: server.url }, handlers, protocolVersion, capabilities });
    await client.request('tools/call', { name: 'ask' }).catch(() => {});
    const { failures } = await client.finish();
    expect((await server.finish()).failures.map(({ kind }) => kind)).not.toContain('miss');
    return failures.map((failure) => failure.text);
  }

  it.each([
    ['sampling/createMessage', { role: 'assistant', content: text }, 'it has no model (a string)'],
    [
      'sampling/createMessage',
      { ...sampled, role: 'model' },
      'it has the role "model", which is neither "user" nor "assistant"',
    ],
    ['sampling/createMessage', { content: text, model: 'm' }, 'it has no role ("user" or "assistant")'],
    ['sampling/createMessage', { ...sampled, content: 'a' }, 'its content is no content block'],
    ['sampling/createMessage', { ...sampled, content: [{ type: 'text' }] }, 'content[0] has no text'],
    ['sampling/createMessage', { ...sampled, content: embedded }, 'its content has the type "resource"'],
    ['elicitation/create', { action: 'accept', contents: {} }, 'did you mean content?'],
    ['elicitation/create', { action: 'acept' }, 'its action is "acept", not "accept", "decline" or "cancel"'],
    ['elicitation/create', {}, 'it has no action ("accept", "decline" or "cancel")'],
    ['elicitation/create', { action: 'accept', content: 'a' }, 'its content is not an object'],
    ['elicitation/create', { action: 'accept', content: { a: {} } }, 'its content has a a that is not a string'],
    ['roots/list', { root: [] }, 'it has no roots (a list): did you mean it by root?'],
    ['roots/list', { roots: ['file:///'] }, 'roots[0] is no object'],
    [
      'elicitation/create',
      { action: 'cancel', content: { a: 'b' } },
      'its content has a, though the action is "cancel"',
    ],
    ['roots/list', { roots: [{ url: 'file:///' }] }, 'roots[0] has no uri (a string)'],
    ['roots/list', { roots: [{ uri: '/home' }] }, 'roots[0] has a uri that does not begin with file://'],
  ])('%s %o', async (method, value, words) => {
    for (const revision of revisions)
      expect(await clientFindings(method, value, revision)).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    ['sampling/createMessage', { ...sampled, content: [text] }],
    ['elicitation/create', { action: 'accept', content: { a: 'b', c: ['d'], e: 1, f: true } }],
    ['elicitation/create', { action: 'decline' }],
    ['elicitation/create', { action: 'decline', content: {} }],
    ['roots/list', { roots: [{ uri: 'file:///' }] }],
    ['x/other', { any: 'thing' }],
  ])('but not %s %o', async (method, value) => {
    expect(await clientFindings(method, value, '2025-11-25')).toEqual([]);
  });

  const requestedSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      size: { type: 'string', enum: ['S', 'M'] },
      count: { type: 'integer' },
    },
    required: ['name'],
  };
  const accepted = (content?: object) => ({ action: 'accept', ...(content && { content }) });
  const place = /^The handler of elicitation\/create \(.*convert-handler-result\.test\.ts:\d+\) returned/;

  it.each([
    [
      'another type',
      accepted({ name: 'Ada', count: 'two' }),
      'its content does not fit the schema of the request: count: must be integer',
    ],
    ['a text that is too short', accepted({ name: 'A' }), 'name: must NOT have fewer than 2 characters'],
    [
      'no such choice',
      accepted({ name: 'Ada', size: 'L' }),
      'size: must be equal to one of the allowed values: "S", "M"',
    ],
    ['a field left out', accepted({ count: 2 }), "must have required property 'name'"],
    ['no content', accepted(), "must have required property 'name'"],
  ])('to an elicitation with a schema, %s', async (_, value, words) => {
    for (const revision of revisions) {
      const [finding, ...others] = await clientFindings('elicitation/create', value, revision, { requestedSchema });
      expect([finding, others]).toEqual([expect.stringContaining(words), []]);
      expect(finding).toMatch(place);
    }
  });

  it('to an elicitation whose schema is none', async () => {
    const params = { requestedSchema: { type: 'object', properties: 5 } };
    expect(await clientFindings('elicitation/create', accepted({}), '2025-11-25', params)).toEqual([
      expect.stringContaining('its requestedSchema has no properties (an object)'),
      expect.stringContaining('because the schema of the request is no JSON Schema'),
    ]);
  });

  it.each<[string, object, object]>([
    ['what fits', accepted({ name: 'Ada', size: 'S' }), { requestedSchema }],
    ['a refusal', { action: 'decline' }, { requestedSchema }],
    ['a consent to open a page', accepted(), { mode: 'url', url: 'https://example.com', elicitationId: 'a' }],
  ])('but not to an elicitation, %s', async (_, value, params) => {
    expect(await clientFindings('elicitation/create', value, '2025-11-25', params as never)).toEqual([]);
  });

  const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const tools = [{ name: 'weather', inputSchema }];
  const uses = (name: string, input: object) => ({
    ...sampled,
    content: [text, { type: 'tool_use', id: '1', name, input }],
  });

  it.each<[string, object, object, string]>([
    [
      'a tool of another name',
      uses('wether', {}),
      { tools },
      'uses the tool "wether", which the request does not have: did you mean "weather"?',
    ],
    ['a tool where there is none', uses('weather', {}), {}, 'which the request does not have: there is none'],
    [
      'input that does not fit',
      uses('weather', { city: 5 }),
      { tools },
      'its input of weather does not fit the schema of the request: city: must be string',
    ],
  ])('to sampling with tools, %s', async (_, value, params, words) => {
    expect(await clientFindings('sampling/createMessage', value, '2025-11-25', params as never)).toEqual([
      expect.stringContaining(words),
    ]);
  });

  it('but not to sampling with tools, one of them with its input', async () => {
    const used = uses('weather', { city: 'Oslo' });
    expect(await clientFindings('sampling/createMessage', used, '2025-11-25', { tools })).toEqual([]);
  });
});

describe('a value that is no result gets a failure that says what one looks like', () => {
  it.each([
    [
      'a resource',
      resource('a:b', () => undefined),
      'returned undefined, which is no result: return a text, a list of',
    ],
    ['a prompt', prompt('p', () => undefined), 'return a text, a list of messages, or a whole result.'],
    ['a completion', request('completion/complete', () => 'a'), "such as { completion: { values: ['Oslo'] } }."],
    [
      'an extension',
      request('acme/search', () => 'a'),
      'returned "a", which is no result: return an object, which is the',
    ],
  ])('%s', async (_, handler, words) => {
    expect(await findingsOf(handler)).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    ['sampling/createMessage', "such as { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'mock'"],
    ['elicitation/create', "such as { action: 'accept', content: { name: 'Ada' } }."],
    ['roots/list', "such as { roots: [{ uri: 'file:///srv/ada' }] }."],
  ])('%s of a mock client', async (method, words) => {
    const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
    const params = method === 'elicitation/create' ? form : { messages: [], maxTokens: 5 };
    const ask = tool('ask', async (_, context) => {
      await context.ask(method, params).catch(() => {});
      return 'done';
    });
    const server = await mockServer({ over: 'http', handlers: [ask] });
    const client = await mockClient({ server: { url: server.url }, handlers: [request(method, () => 'short')] });
    await client.request('tools/call', { name: 'ask' });
    const { failures } = await client.finish();
    await server.finish();
    expect(failures).toMatchObject([{ kind: 'thrown', text: expect.stringContaining(words) }]);
    expect(failures[0]!.text).toContain(
      'returned "short", which is no result: return an object, which is the result, ',
    );
  });
});
