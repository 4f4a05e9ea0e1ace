import { describe, expect, it } from 'vitest';
import { addJsonRpcVersion, lacksJsonRpcVersion } from '../../../src/cassette/correlate/add-json-rpc-version.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { cassette, client, notification, request, result, server } from '../../support/conversation.ts';

const pasted = [
  client('{"id":1,"method":"ping"}'),
  server('{ "id": 1, "result": {"n": 1.0} }'),
  server('[{"id":2,"result":{}},{"jsonrpc":"2.0","method":"notifications/a"}]'),
];
const textsOf = (side: 'client' | 'server') =>
  addJsonRpcVersion(eventsToEntries(cassette(...pasted).events), side).map(({ json }) => json!.text);

describe('messages without jsonrpc', () => {
  it('get it where the played side says them, before the text that they have', () => {
    expect(textsOf('server')).toEqual([
      '{"id":1,"method":"ping"}',
      '{"jsonrpc":"2.0", "id": 1, "result": {"n": 1.0} }',
      '{"jsonrpc":"2.0","id":2,"result":{}}',
      '{"jsonrpc":"2.0","method":"notifications/a"}',
    ]);
    expect(textsOf('client')[0]).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });

  it('are still told from the others', () => {
    const entries = addJsonRpcVersion(eventsToEntries(cassette(...pasted).events), 'server');
    expect(entries.map(lacksJsonRpcVersion)).toEqual([true, true, true, false]);
  });

  it('keep one text for a frame and its only message, which may be rewritten', () => {
    const [, answer] = addJsonRpcVersion(eventsToEntries(cassette(...pasted).events), 'server');
    expect(answer!.frame).toMatchObject({ kind: 'message', json: answer!.json });
  });

  it('are left alone where all have it, and so is what is no message', () => {
    const entries = eventsToEntries(
      cassette(client(request(1, 'ping')), server(result(1, 'a')), server(notification('a')), server('{}')).events,
    );
    expect(addJsonRpcVersion(entries, 'server')).toBe(entries);
  });
});
