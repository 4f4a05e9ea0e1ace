import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { type HandlerContext, type MemoryServer, mockClient, mockServer, tool } from '../../../src/adapters/mock.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';

const QUESTION = { messages: [], maxTokens: 5 };
const ANSWER = { role: 'assistant', model: 'm', content: { type: 'text', text: 'late' } };
const TEXT = 'The client has not answered sampling/createMessage in 4000 ms';

/** A clock that a test advances. The turns of the event loop go on by themselves. */
function stoppedClock(): ManualClock {
  const clock = new ManualClock(new Date(0));
  clock.endOfTurn = systemClock.endOfTurn;
  return clock;
}

/** A promise, and what resolves it. */
function event(): { came: Promise<void>; happen: () => void } {
  let happen: () => void = () => {};
  const came = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { came, happen };
}

/** A client of SDK 1 that never answers sampling. `asked` resolves when it is asked, `cancelled` when it need not. */
async function connectMute({ transport }: MemoryServer) {
  const client = new Client({ name: 'mute', version: '1' }, { capabilities: { sampling: {} } });
  const [asked, cancelled] = [event(), event()];
  client.setRequestHandler(CreateMessageRequestSchema, (_, { signal }) => {
    signal.addEventListener('abort', cancelled.happen);
    asked.happen();
    return new Promise(() => {});
  });
  await client.connect(transport);
  return { client, asked: asked.came, cancelled: cancelled.came };
}

/** Calls `ask` as a raw client of 2026-07-28, and resolves with its result. */
async function exchanges({ transport }: MemoryServer) {
  let answered = (_: Record<string, unknown>) => {};
  transport.onmessage = ({ result }) => answered(result);
  await transport.start();
  return async (id: number, more: object = {}) => {
    const arrived = new Promise<Record<string, unknown>>((resolve) => {
      answered = resolve;
    });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
    };
    await transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask', _meta, ...more } });
    return arrived;
  };
}

describe('a client that does not answer what a handler asks', () => {
  it('is named after four seconds, though the call has a result', async () => {
    const clock = stoppedClock();
    const server = await mockServer({ clock, handlers: [tool('ask', (_, { sample }) => sample(QUESTION))] });
    const { client, asked, cancelled } = await connectMute(server);
    const called = client.callTool({ name: 'ask' });
    await asked;
    clock.advance(3_999);
    await client.ping();
    clock.advance(1);
    expect(await called).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(TEXT) }] });
    await cancelled;
    await client.close();
    const why = /^The client has not answered .* in 4000 ms\. The handler of tools\/call "ask" \(.*\) had asked/;
    expect((await server.finish()).failures).toEqual([
      { changesAnswer: true, kind: 'unanswered', text: expect.stringMatching(why) },
    ]);
  });

  it('is waited for as long as the handler says', async () => {
    const clock = stoppedClock();
    const handlers = [tool('ask', (_, { sample }) => sample(QUESTION, { timeout: 10_000 }).catch(({ code }) => code))];
    const server = await mockServer({ clock, handlers });
    const { client, asked } = await connectMute(server);
    const called = client.callTool({ name: 'ask' });
    await asked;
    clock.advance(9_999);
    await client.ping();
    clock.advance(1);
    expect(await called).toMatchObject({ content: [{ text: 'MOCK_NO_ANSWER' }] });
    await client.close();
    expect((await server.finish()).failures).toEqual([]);
  });

  it('is named at the end of a test that ends before', async () => {
    const server = await mockServer({ handlers: [tool('ask', (_, { sample }) => sample(QUESTION))] });
    const { client, asked } = await connectMute(server);
    const called = client.callTool({ name: 'ask' }).catch(() => {});
    await asked;
    const text = expect.stringMatching(
      /"ask" \(.*\) still waits for the client's answer to sampling\/createMessage\.$/,
    );
    expect((await server.finish()).failures).toEqual([{ kind: 'unanswered', text }]);
    await called;
  });

  it('gets the outcome with its retry in 2026-07-28', async () => {
    const clock = stoppedClock();
    const server = await mockServer({ clock, handlers: [tool('ask', (_, { sample }) => sample(QUESTION))] });
    const exchange = await exchanges(server);
    const { resultType, requestState, inputRequests } = await exchange(1);
    expect(resultType).toBe('input_required');
    clock.advance(4_000);
    const inputResponses = Object.fromEntries(Object.keys(inputRequests as object).map((key) => [key, ANSWER]));
    expect(await exchange(2, { requestState, inputResponses })).toMatchObject({ isError: true });
    await server.transport.close();
    const { failures } = await server.finish();
    expect(failures).toMatchObject([{ kind: 'unanswered', text: expect.stringContaining(TEXT) }]);
  });

  it.each([
    ['waits', (_: unknown, { sample }: HandlerContext) => sample(QUESTION)],
    [
      'does not wait',
      (_: unknown, { sample }: HandlerContext) => {
        sample(QUESTION).catch(() => {});
        return 'done';
      },
    ],
  ])('is named where it does not retry in 2026-07-28 the call of a handler that %s', async (_, handle) => {
    const server = await mockServer({ clock: stoppedClock(), handlers: [tool('ask', handle)] });
    expect((await (await exchanges(server))(1)).resultType).toBe('input_required');
    await server.transport.close();
    const text = expect.stringMatching(
      /"ask" \(.*\) still waits for the client's answer to sampling\/createMessage\.$/,
    );
    expect((await server.finish()).failures).toEqual([{ kind: 'unanswered', text }]);
  });

  it('is named as long as any of several answers is missing', async () => {
    const [asked, known] = [event(), event()];
    const asks = tool('ask', (_, { ask, elicit }) =>
      Promise.all([
        ask('roots/list').then(known.happen),
        elicit({ message: 'Who?', requestedSchema: { type: 'object', properties: {} } }),
      ]),
    );
    const server = await mockServer({ handlers: [asks] });
    const client = new Client({ name: 'mute', version: '1' }, { capabilities: { roots: {}, elicitation: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
    client.setRequestHandler(ElicitRequestSchema, () => {
      asked.happen();
      return new Promise(() => {});
    });
    await client.connect(server.transport);
    const called = client.callTool({ name: 'ask' }).catch(() => {});
    await asked.came;
    await known.came;
    const text = expect.stringMatching(/still waits for the client's answer to elicitation\/create\.$/);
    expect((await server.finish()).failures).toEqual([{ kind: 'unanswered', text }]);
    await called;
  });
});

it('a server that does not answer a mock client is named', async () => {
  const silent = await mockServer({ over: 'http', handlers: [tool('hang', () => new Promise(() => {}))] });
  const client = await mockClient({ server: { url: silent.url } });
  await expect(client.request('tools/call', { name: 'hang' }, { timeout: 1 })).rejects.toMatchObject({
    code: 'MOCK_NO_ANSWER',
    message: expect.stringContaining('The server has not answered tools/call in 1 ms'),
  });
  await expect(client.request('ping', {}, { timeot: 1 } as object)).rejects.toMatchObject({ code: 'MOCK_BAD_TIMEOUT' });
  expect((await client.finish()).failures).toEqual([]);
  expect((await silent.finish()).findings).toBeDefined();
});
