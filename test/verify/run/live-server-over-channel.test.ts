import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { call, cassette, client, request, result, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const leaves = (stream: number): Frame => ({ kind: 'close', at: 0, from: 'client', stream });
const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const modern = (id: number) => request(id, 'tools/call', { name: 'a', _meta: { ..._meta, progressToken: id } });
const B = call(2, 'b');

describe('a cassette of HTTP, over stdio', () => {
  it('has only its messages said', async () => {
    const opens: Frame = { kind: 'open', at: 0, from: 'client', method: 'GET', stream: 1 };
    const { heard } = await live(
      cassette(opens, on(2, client(B)), on(2, server(result(2, 'B'))), leaves(1), {
        ...opens,
        method: 'DELETE',
        stream: 3,
      }),
    );
    expect(heard).toEqual([B, 'close']);
  });

  it('cancels by a notification what it cancelled by leaving, from 2026-07-28 on', async () => {
    const { heard } = await live(cassette(on(1, client(modern(1))), leaves(1), on(2, client(B))));
    const params = { requestId: 1, _meta };
    expect(heard).toEqual([modern(1), { jsonrpc: '2.0', method: 'notifications/cancelled', params }, B, 'close']);
  });

  it('cancels nothing where a stream was lost before that, or had brought its answer', async () => {
    const answered = [on(1, client(modern(1))), on(1, server(result(1, 'A'))), leaves(1)];
    expect((await live(cassette(...answered))).heard).toEqual([modern(1), 'close']);
    expect((await live(cassette(on(2, client(B)), leaves(2)))).heard).toEqual([B, 'close']);
  });
});
