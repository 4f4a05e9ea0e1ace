import { expect, it } from 'vitest';
import type { MessageFrame } from '../../src/channel/frame.ts';
import { isHttpErrorBody } from '../../src/channel/non-rpc-error-body.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

const OAUTH = '{"error":"invalid_token","error_description":"Token has expired"}';
const frame = (text: string, fields: Partial<MessageFrame> = {}): MessageFrame => ({
  kind: 'message',
  at: 0,
  from: 'server',
  stream: 1,
  json: new JsonText(text),
  ...fields,
});

it.each([
  ['an error of OAuth', OAUTH, { status: 401 }, true],
  ['an error of a gateway in a list', '[{"message":"down"}]', { status: 503 }, true],
  ['a JSON-RPC error, however broken', '{"jsonrpc":"1.0","error":"none"}', { status: 400 }, false],
  ['a batch with one JSON-RPC message', `[${OAUTH},{"jsonrpc":"2.0","id":1,"result":{}}]`, { status: 400 }, false],
  ['what is sent as success', OAUTH, {}, false],
  ['what a redirect says', OAUTH, { status: 302 }, false],
  ['an event of a stream', OAUTH, { status: 401, sse: {} }, false],
])('%s: %s', (_what, text, fields, isBody) => {
  expect(isHttpErrorBody(frame(text, fields))).toBe(isBody);
});
