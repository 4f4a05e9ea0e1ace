import { describe, expect, it } from 'vitest';
import { completeWrittenMessages } from '../../../src/cassette/read/add-omitted-jsonrpc-fields.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { cassette, client, server, stderr } from '../../support/conversation.ts';

const completed = (...frames: Frame[]) =>
  completeWrittenMessages(cassette(...frames).events).map(({ frame }) =>
    frame.kind === 'message' ? frame.json.text : frame.kind,
  );

describe('a cassette written by hand', () => {
  it('gets its version, and ids that pair answers with requests in order', () => {
    expect(
      completed(
        client({ method: 'tools/list' }),
        client({ method: 'tools/call', params: { name: 'a' } }),
        server({ method: 'roots/list' }),
        client({ result: { roots: [] } }),
        server({ result: { tools: [] } }),
        server({ error: { code: 1, message: 'no' } }),
      ),
    ).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}',
      '{"jsonrpc":"2.0","id":3,"method":"roots/list"}',
      '{"jsonrpc":"2.0","id":3,"result":{"roots":[]}}',
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
      '{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}',
    ]);
  });

  it('keeps what it says itself', () => {
    const text = '{ "id": 1.0, "jsonrpc": "2.0", "method": "ping" }';
    expect(completed(client(text), stderr('x'), server('[]'), client('{}'))).toEqual([
      text,
      'line',
      '[]',
      '{"jsonrpc":"2.0"}',
    ]);
  });

  it('gives notifications no id', () => {
    expect(completed(client({ method: 'notifications/initialized' }))).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ]);
  });
});
