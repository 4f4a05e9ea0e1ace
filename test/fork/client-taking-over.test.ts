import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { type Handshake, TakingOverClient } from '../../src/fork/client-taking-over.ts';
import { FreshClientIds } from '../../src/fork/fresh-client-ids.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { call, client, clientCloses, notification, request, result, server } from '../support/conversation.ts';

const answered: Handshake = {
  capabilities: { roots: {}, sampling: {} },
  response: new JsonText('{"jsonrpc":"2.0","id":0,"result":{"serverInfo":{"name":"real"}}}'),
  isInitialized: true,
};

function liveClient(handshake?: Handshake) {
  const notes: string[] = [];
  const live = new TakingOverClient({ ids: new FreshClientIds([]), handshake, note: (text) => notes.push(text) });
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
