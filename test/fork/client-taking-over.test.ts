import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { type Handshake, TakingOverClient, type TakingOverClientOptions } from '../../src/fork/client-taking-over.ts';
import { FreshClientIds } from '../../src/fork/fresh-client-ids.ts';
import { MadeUpValues } from '../../src/fork/made-up-values.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { ServerRequestIds } from '../../src/replay/tokens/successive-server-request-ids.ts';
import {
  call,
  cassette,
  client,
  clientCloses,
  notification,
  request,
  result,
  server,
} from '../support/conversation.ts';

const answered: Handshake = {
  capabilities: { roots: {}, sampling: {} },
  response: new JsonText('{"jsonrpc":"2.0","id":0,"result":{"serverInfo":{"name":"real"}}}'),
  isInitialized: true,
};

function liveClient(handshake?: Handshake, more: Partial<TakingOverClientOptions> = {}) {
  const notes: string[] = [];
  const live = new TakingOverClient({
    ids: new FreshClientIds([]),
    handshake,
    note: (text) => notes.push(text),
    ...more,
  });
  const values = (frames: readonly Frame[]) =>
    frames.map((frame) => (frame.kind === 'message' ? frame.json.value : frame.kind));
  return {
    notes,
    says(message: unknown) {
      const { server: sent, client: heard } = live.fromClient(client(message));
      return { sent: values(sent), heard: values(heard) };
    },
    closes: () => values(live.fromClient(clientCloses).server),
    hears: (message: unknown) => values(live.fromServer(server(message))),
  };
}

const greets = (capabilities: object = { roots: {}, sampling: {}, elicitation: {} }) =>
  request('own', 'initialize', { capabilities });
const real = { jsonrpc: '2.0', id: 'own', result: { serverInfo: { name: 'real' } } };

describe('the handshake of a live client', () => {
  it('has the answer that the server gave the recorded client, and the server hears nothing of it', () => {
    const live = liveClient(answered);
    expect(live.says(greets())).toEqual({ sent: [], heard: [real] });
    expect(live.says(notification('initialized'))).toEqual({ sent: [], heard: [] });
    expect(live.notes).toEqual([]);
  });

  it('is finished for a recorded client that was stopped in the middle of its own', () => {
    const live = liveClient({ ...answered, isInitialized: false });
    live.says(greets());
    expect(live.says(notification('initialized')).sent).toEqual([notification('initialized')]);
    expect(live.says(notification('initialized')).sent).toEqual([]);
  });

  it('notes what the recorded client could do and this one cannot', () => {
    const live = liveClient(answered);
    live.says(greets({ roots: {} }));
    expect(live.notes).toEqual([
      'The live client lacks sampling. The recorded client had it, so the server may use it.',
    ]);
  });

  it('is made with the server if there was none', () => {
    expect(liveClient().says(greets()).sent).toEqual([request(0, 'initialize', greets().params)]);
  });
});

describe('what the server says meanwhile', () => {
  it('waits until the client is initialized, but for answers', () => {
    const live = liveClient(answered);
    const changed = notification('tools/list_changed');
    expect(live.hears(changed)).toEqual([]);
    live.says(greets());
    expect(live.hears(request(1, 'roots/list'))).toEqual([]);
    live.says(request(5, 'ping'));
    expect(live.hears(result(0, 'pong'))).toEqual([result(5, 'pong')]);
    expect(live.says(notification('initialized')).heard).toEqual([changed, request(1, 'roots/list')]);
    expect(live.hears(changed)).toEqual([changed]);
  });

  it('waits no longer than for the first request of a client that forgets to say so', () => {
    const live = liveClient(answered);
    live.says(greets());
    live.hears(notification('tools/list_changed'));
    expect(live.says(call(1, 'add'))).toEqual({ sent: [call(0, 'add')], heard: [notification('tools/list_changed')] });
    expect(live.notes).toEqual([]);
  });
});

describe('a client that begins with another request', () => {
  it('is noted once, and passes', () => {
    const live = liveClient(answered);
    expect(live.says(call(1, 'add')).sent).toEqual([call(0, 'add')]);
    live.says(call(2, 'add'));
    expect(live.notes).toEqual([expect.stringContaining('sent tools/call before initialize')]);
  });

  it('is fine with a ping, with a question for the revision, and in a session without a handshake', () => {
    const live = liveClient(answered);
    live.says(request(1, 'ping'));
    live.says(request(2, 'server/discover'));
    expect(live.notes).toEqual([]);
    const modern = liveClient();
    modern.says(call(1, 'add'));
    expect(modern.notes).toEqual([]);
  });
});

describe('frames', () => {
  it('of batches stay batches, without what is not for the other side', () => {
    const live = liveClient(answered);
    expect(live.says([greets(), call(1, 'add'), call(2, 'add')]).sent).toEqual([[call(0, 'add'), call(1, 'add')]]);
    expect(live.hears([result(0, 'a'), result(99, 'late')])).toEqual([[result(1, 'a')]]);
    expect(live.hears([result(99, 'late')])).toEqual([]);
  });

  it('without a message pass', () => {
    expect(liveClient(answered).closes()).toEqual(['close']);
  });
});

describe('a live client that a recorded server has answered', () => {
  it('sends the values of the live server, and questions have ids that it has not seen', () => {
    const values = new MadeUpValues();
    const [asked] = eventsToEntries(cassette(client(call(1, 'open'))).events);
    const opened = (order: string) =>
      new JsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { structuredContent: { order } } }));
    values.learn(asked!, opened('ord-1111'), opened('ord-2222'));
    const questionIds = new ServerRequestIds();
    questionIds.toClient(new JsonText(JSON.stringify(request(0, 'roots/list'))));
    questionIds.replace();
    const live = liveClient(undefined, { past: { values, questionIds } });
    expect(live.says(call('a', 'read', { order: 'ord-1111' })).sent).toEqual([call(0, 'read', { order: 'ord-2222' })]);
    expect(live.hears(result(0, 'ord-2222 is open'))).toEqual([result('a' as never, 'ord-1111 is open')]);
    expect(live.hears(request(0, 'roots/list'))).toEqual([request(1, 'roots/list')]);
    expect(live.says({ jsonrpc: '2.0', id: 1, result: { roots: [] } }).sent).toEqual([
      { jsonrpc: '2.0', id: 0, result: { roots: [] } },
    ]);
    // An answer to the recorded server comes too late.
    expect(live.says({ jsonrpc: '2.0', id: 0, result: { roots: [] } }).sent).toEqual([]);
  });
});

describe('a live client whose first call is the first recorded one', () => {
  const firstCall = new JsonText(JSON.stringify(call(1, 'open', { a: 1 })));

  it('is told how the cassette answers its calls', () => {
    const live = liveClient(undefined, { firstCall });
    live.says(request(0, 'tools/list'));
    live.says(call(1, 'open', { a: 1 }));
    live.says(call(2, 'open', { a: 1 }));
    expect(live.notes).toEqual([expect.stringContaining('add --with-client')]);
  });

  it('is told nothing if it begins with another call', () => {
    const live = liveClient(undefined, { firstCall });
    live.says(call(1, 'open', { a: 2 }));
    live.says(call(2, 'open', { a: 1 }));
    expect(live.notes).toEqual([]);
  });
});
