import { describe, expect, it } from 'vitest';
import {
  type Handler,
  type HttpOptions,
  mockServer,
  prompt,
  RpcFailure,
  request,
  resource,
  tool,
} from '../../src/adapters/mock.ts';
import type { HttpMockServer } from '../../src/adapters/mock-server/mock-server-types.ts';
import type { Peer } from '../e2e/session/peer.ts';
import { connectTo, type Way } from './clients.ts';

/** A mock server with these handlers, and a way to connect its clients. */
export async function start(
  { client, over }: Way,
  handlers: Handler[],
  cassette?: string,
): Promise<{ server: HttpMockServer; connect: () => Promise<Peer> }> {
  const options = { handlers, over, ...(cassette !== undefined && { cassette }) };
  const server = await mockServer(options as HttpOptions);
  return { server, connect: () => connectTo(server, client) };
}

export const call = (peer: Peer, name: string, args: object = {}): Promise<Record<string, unknown>> =>
  peer.request('tools/call', { name, arguments: args }) as Promise<Record<string, unknown>>;
export const add: Handler = tool('add', ({ a, b }) => a + b, { description: 'Adds.' });

/** A cassette with the list of one tool, and a call of it. */
export const WEATHER: string = `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: tools/list }
- server: { jsonrpc: "2.0", id: 1, result: { tools: [{ name: weather, inputSchema: { type: object } }] } }
- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: weather, arguments: { city: Oslo } } }
- server: { jsonrpc: "2.0", id: 2, result: { content: [{ type: text, text: sunny }] } }
`;

/** Tests that mock servers pass with each client over each transport. `tape` is the path of a cassette with {@link WEATHER}. */
export function mockServerTests(ways: readonly Way[], tape: string): void {
  describe.each(ways)('a mock server over $over for $client', (way) => {
    it('needs no cassette: it lists its handlers, and they answer', async () => {
      const handlers = [
        add,
        tool('both', () => ({ sum: 3 })),
        resource('test://a', (uri) => `text of ${uri}`, { mimeType: 'text/plain' }),
        prompt('greet', ({ name }) => `Greet ${name}.`),
        request('completion/complete', ({ params }) => ({ completion: { values: [String(params.argument)] } })),
      ];
      const { server, connect } = await start(way, handlers);
      const peer = await connect();
      expect(await peer.request('tools/list')).toMatchObject({
        tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }, { name: 'both' }],
      });
      expect(await call(peer, 'add', { a: 2, b: 3 })).toMatchObject({ content: [{ type: 'text', text: '5' }] });
      expect(await call(peer, 'both')).toMatchObject({ structuredContent: { sum: 3 } });
      expect(await peer.request('resources/read', { uri: 'test://a' })).toMatchObject({
        contents: [{ uri: 'test://a', mimeType: 'text/plain', text: 'text of test://a' }],
      });
      expect(await peer.request('prompts/get', { name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
        messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }],
      });
      await peer.close();
      expect(await server.finish()).toMatchObject({ failed: false, findings: [] });
    });

    it('tells of progress, and notifies on the stream of a call', async () => {
      const { server, connect } = await start(way, [
        tool('work', (_, { progress, notify }) => {
          progress(1, { total: 2, message: 'half' });
          notify('notifications/message', { level: 'info', data: 'working' });
          return 'done';
        }),
      ]);
      const peer = await connect();
      await peer.request('tools/call', { name: 'work' }, { progress: true });
      expect(peer.heard.messages.map(({ method }) => method)).toEqual([
        'notifications/progress',
        'notifications/message',
      ]);
      await peer.close();
      await server.finish();
    });

    it('asks the client while a call is open', async () => {
      const { server, connect } = await start(way, [
        tool('ask', async (_, { sample, elicit }) => {
          const messages = [{ role: 'user', content: { type: 'text', text: 'What?' } }];
          const { content } = await sample({ messages, maxTokens: 5 });
          const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
          const { action } = await elicit({ message: 'Who?', requestedSchema });
          return `${(content as { text: string }).text} ${action}`;
        }),
      ]);
      const peer = await connect();
      const { content } = await call(peer, 'ask');
      expect(content).toEqual([{ type: 'text', text: 'An answer to {"type":"text","text":"What?"} accept' }]);
      await peer.close();
      expect(await server.finish()).toMatchObject({ failed: false });
    });

    it('hears a cancel', async () => {
      const aborted: string[] = [];
      const { server, connect } = await start(way, [
        tool('hang', (_, { signal, progress }) => {
          progress(1);
          return new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              aborted.push('hang');
              resolve('late');
            });
          });
        }),
      ]);
      const peer = await connect();
      const client = new AbortController();
      const begun = peer.heard.next(({ method }) => method === 'notifications/progress');
      const hanging = peer.request('tools/call', { name: 'hang' }, { signal: client.signal, progress: true });
      await begun;
      client.abort();
      await expect(hanging).rejects.toThrow();
      await expect.poll(() => aborted).toEqual(['hang']);
      await peer.close();
      await server.finish();
    });

    it('answers a throw as servers do, and an RpcFailure with its code', async () => {
      const { server, connect } = await start(way, [
        tool('quota', () => {
          throw new Error('over quota');
        }),
        tool('refuse', () => {
          throw new RpcFailure({ code: -32001, message: 'refused', data: { why: 'no' } });
        }),
      ]);
      const peer = await connect();
      expect(await call(peer, 'quota')).toMatchObject({ isError: true, content: [{ text: 'over quota' }] });
      await expect(call(peer, 'refuse')).rejects.toMatchObject({ code: -32001 });
      await peer.close();
      expect(await server.finish()).toMatchObject({ failed: false });
    });

    it.each([
      ['throws by mistake', tool('bad', () => (undefined as never as string[]).length), 'threw TypeError'],
      ['asserts what is not so', tool('bad', () => expect(1).toBe(2)), 'threw AssertionError'],
      ['passes to nothing', tool('bad', (_, { passthrough }) => passthrough()), '[HANDLER_NO_CASSETTE]'],
      ['makes a failure of nothing', tool('bad', () => Promise.reject(new RpcFailure({} as never))), 'has a code'],
      ['returns nothing', tool('bad', () => undefined), 'returned undefined, which is no result'],
      ['returns an error', tool('bad', () => new Error('quota')), 'which is no result'],
      ['returns a list of texts', tool('bad', () => ['text']), 'returned ["text"], which is no result'],
    ])('fails where a handler %s, and says which', async (_, handler, words) => {
      const { server, connect } = await start(way, [handler]);
      const peer = await connect();
      await call(peer, 'bad').catch(() => {});
      await peer.close();
      const { failed, findings } = await server.finish();
      expect([failed, findings]).toMatchObject([true, [{ kind: 'thrown' }]]);
      expect(findings[0]!.text).toContain(words);
      expect(findings[0]!.text).toMatch(/tools\/call "bad" \(.*mock-server-tests\.ts:\d+\)/);
    });

    it('passes on what the client answers with an error as an error of the tool, and says so', async () => {
      const { server, connect } = await start(way, [tool('ask', async (_, { ask }) => (await ask('x/none')).value)]);
      const peer = await connect();
      const said = await call(peer, 'ask').catch(({ message }) => ({ content: [{ text: message }] }));
      if (!way.client.includes('2026'))
        expect(said).toMatchObject({
          isError: true,
          content: [
            { text: expect.stringContaining('The client answered x/none with an error: Method not found (-32601).') },
          ],
        });
      await peer.close();
      const { failures } = await server.finish();
      expect(failures).toMatchObject([{ kind: way.client.includes('2026') ? expect.any(String) : 'unanswered' }]);
      if (!way.client.includes('2026'))
        expect(failures[0]!.text).toMatch(/x\/none with an error: Method not found .* had asked, and did not catch/);
    });

    it('fails where a handler has not answered at the end', async () => {
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const { server, connect } = await start(way, [
        tool('hang', () => {
          begin();
          return new Promise(() => {});
        }),
      ]);
      const peer = await connect();
      const hanging = call(peer, 'hang').catch(() => 'left');
      await begun;
      const { failed, findings } = await server.finish();
      expect(failed).toBe(true);
      expect(findings[0]!.text).toMatch(
        /^The handler of tools\/call "hang" \(.*\) has not answered, and the client has not cancelled the call .*shorter than the test's\.$/,
      );
      await peer.close();
      expect(await hanging).toBe('left');
    });

    it('fails where nothing answers, and says what there is', async () => {
      const { server, connect } = await start(way, [add]);
      const peer = await connect();
      await expect(call(peer, 'ad')).rejects.toMatchObject({ code: -32602 });
      await expect(peer.request('other/method')).rejects.toThrow('Method not found');
      await peer.close();
      expect((await server.finish()).failures.map(({ text }) => text)).toEqual([
        'No handler answers tools/call "ad": did you mean "add"?',
        'No handler answers other/method.',
      ]);
    });

    it('takes handlers for one answer, or for one test', async () => {
      const { server, connect } = await start(way, [tool('day', () => 'usual')]);
      const peer = await connect();
      const said = async () => ((await call(peer, 'day')).content as { text: string }[])[0]!.text;
      server.use(
        tool('day', () => 'this test'),
        tool('day', () => 'once', { once: true }),
        tool('day', () => 'never'),
      );
      expect([await said(), await said(), await said()]).toEqual(['once', 'this test', 'this test']);
      server.resetHandlers();
      expect(await said()).toBe('usual');
      await peer.close();
      expect((await server.finish()).failures).toMatchObject([{ kind: 'uncalled' }]);
    });
  });

  describe.each(ways.filter(({ client }) => !client.includes('2026')))(
    'a mock server without a call over $over for $client',
    (way) => {
      it('notifies its client, and asks it', async () => {
        const { server, connect } = await start(way, [add]);
        await expect(server.request('roots/list')).rejects.toMatchObject({ code: 'MOCK_NO_CLIENT' });
        const peer = await connect();
        await peer.request('tools/list');
        const changed = peer.heard.next(({ method }) => method === 'notifications/tools/list_changed');
        server.notify('notifications/tools/list_changed');
        expect(await changed).toMatchObject({ method: 'notifications/tools/list_changed' });
        expect(await server.request('roots/list')).toMatchObject({ roots: [{ name: 'workspace' }, { name: 'notes' }] });
        await expect(server.request('no/such')).rejects.toMatchObject({ name: 'RpcFailure', code: -32601 });
        await peer.close();
        expect(await server.finish()).toMatchObject({ failed: false });
      });
    },
  );

  describe.each(ways.filter(({ client }) => !client.includes('2026')))(
    'handlers before a cassette over $over for $client',
    (way) => {
      const text = async (peer: Peer, name: string, args: object) =>
        ((await call(peer, name, args)).content as { text: string }[])[0]!.text;

      it('answer first; a recorded call that they answer need not come, and their tools are listed', async () => {
        const { server, connect } = await start(way, [add], tape);
        server.use(tool('weather', ({ city }) => `rain in ${city}`));
        const peer = await connect();
        const { tools } = (await peer.request('tools/list')) as { tools: { name: string }[] };
        expect(tools.map(({ name }) => name)).toEqual(['weather', 'add']);
        expect(await text(peer, 'add', { a: 1, b: 1 })).toBe('2');
        expect(await text(peer, 'weather', { city: 'Oslo' })).toBe('rain in Oslo');
        await peer.close();
        const { failed, failures } = await server.finish();
        expect([failed, failures ?? []]).toEqual([false, []]);
      });

      it('may have the recorded answer, and change it', async () => {
        const { server, connect } = await start(way, [], tape);
        server.use(
          request('tools/call', async (_, { passthrough }) => {
            const { content, ...rest } = await passthrough();
            return { ...rest, content: [...(content as object[]), { type: 'text', text: 'and warm' }] };
          }),
        );
        const peer = await connect();
        await peer.request('tools/list');
        expect((await call(peer, 'weather', { city: 'Oslo' })).content).toMatchObject([
          { text: 'sunny' },
          { text: 'and warm' },
        ]);
        await expect(call(peer, 'weather', { city: 'Bonn' })).rejects.toThrow('weather.yaml');
        await peer.close();
        expect((await server.finish()).failures.filter(({ kind }) => kind === 'miss')).toHaveLength(1);
      });

      it.each([
        ['answers another call', tool('weather', ({ city }) => `rain in ${city}`), { city: 'Rome' }],
        [
          'fails once, and nobody tries again',
          tool('weather', () => Promise.reject(new Error('busy')), { once: true }),
          { city: 'Oslo' },
        ],
        [
          'refuses once, and nobody tries again',
          tool('weather', () => Promise.reject(new RpcFailure({ code: -32050, message: 'busy' })), { once: true }),
          { city: 'Oslo' },
        ],
      ])('that %s leaves the recorded call to come', async (_, handler, args) => {
        const { server, connect } = await start(way, [handler], tape);
        const peer = await connect();
        await peer.request('tools/list');
        await call(peer, 'weather', args).catch(() => {});
        await peer.close();
        const kinds = (await server.finish()).failures.map(({ kind }) => kind);
        expect(kinds).toEqual(handler.once ? ['unretried', 'unused'] : ['unused']);
      });

      it('that always fails stands for the recorded call', async () => {
        const handler = tool('weather', () => Promise.reject(new Error('down')));
        const { server, connect } = await start(way, [handler], tape);
        const peer = await connect();
        await peer.request('tools/list');
        expect(await call(peer, 'weather', { city: 'Oslo' })).toMatchObject({ isError: true });
        await peer.close();
        expect((await server.finish()).failures).toEqual([]);
      });

      it('that fails once lets the client try again', async () => {
        const busy = () => Promise.reject(new RpcFailure({ code: -32050, message: 'busy' }));
        const { server, connect } = await start(way, [tool('weather', busy, { once: true })], tape);
        const peer = await connect();
        await peer.request('tools/list');
        await expect(call(peer, 'weather', { city: 'Oslo' })).rejects.toMatchObject({ code: -32050 });
        expect(await text(peer, 'weather', { city: 'Oslo' })).toBe('sunny');
        await peer.close();
        expect(await server.finish()).toMatchObject({ failed: false });
      });

      it('fail for the rest as ever', async () => {
        const { server, connect } = await start(way, [add], tape);
        const peer = await connect();
        await peer.request('tools/list');
        await peer.close();
        expect((await server.finish()).failures).toMatchObject([{ kind: 'unused' }]);
      });
    },
  );
}
