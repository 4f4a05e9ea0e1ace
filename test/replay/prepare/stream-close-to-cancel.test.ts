import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { META } from '../../../src/protocol/meta.ts';
import { streamClosesToCancels } from '../../../src/replay/prepare/stream-close-to-cancel.ts';
import { client, leaves, request, result, server } from '../../support/conversation.ts';

const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {}, progressToken: 't' };
const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const said = (...frames: Frame[]) =>
  streamClosesToCancels(frames.map((frame, index) => ({ frame, line: index + 1 }))).map(({ frame }) =>
    frame.kind === 'message' ? frame.json.value : frame.kind,
  );

const call = request(1, 'tools/call', { name: 'slow', _meta });

it('a stream of 2026-07-28 that the client closes before the answer is a cancel, with the envelope of its request', () => {
  const { progressToken: _, ...envelope } = _meta;
  expect(said(on(1, client(call)), leaves(1))).toEqual([
    call,
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: envelope } },
  ]);
});

it.each([
  ['after the answer', [on(1, client(call)), on(1, server(result(1, 'done'))), leaves(1)]],
  ['of a request before 2026-07-28', [on(1, client(request(1, 'tools/call', { name: 'slow' }))), leaves(1)]],
  ['of another stream', [on(1, client(call)), leaves(2)]],
  ['of a notification', [on(1, client({ jsonrpc: '2.0', method: 'notifications/x' })), leaves(1)]],
])('a close %s is none', (_, frames) => {
  expect(said(...(frames as Frame[])).at(-1)).toBe('close');
});

it('what is carried by no stream stays as it is', () => {
  const json = new JsonText('{}');
  expect(said({ kind: 'message', at: 0, from: 'client', json }, { kind: 'close', at: 0, from: 'client' })).toEqual([
    {},
    'close',
  ]);
});
