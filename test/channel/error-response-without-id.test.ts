import { expect, it } from 'vitest';
import { isBareRefusal } from '../../src/channel/error-response-without-id.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

const ERROR = '"error":{"code":-32000,"message":"no"}';

it.each([
  ['the refusal of a GET', `{"jsonrpc":"2.0",${ERROR},"id":null}`, {}, true],
  ['a refusal without any id', `{"jsonrpc":"2.0",${ERROR}}`, {}, true],
  ['the error of a request', `{"jsonrpc":"2.0",${ERROR},"id":0}`, {}, false],
  ['an event of a stream', `{"jsonrpc":"2.0",${ERROR},"id":null}`, { sse: {} }, false],
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/message"}', {}, false],
])('%s is no message of the session: %s', (_what, text, fields, isRefusal) => {
  expect(isBareRefusal({ json: new JsonText(text), ...fields })).toBe(isRefusal);
});
