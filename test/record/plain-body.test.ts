import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventText } from '../../src/cassette/write/format-event.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { conversation, inSession } from './http-conversation.ts';

/** The events of a cassette on which `asked` was answered by `answer`, both as they stand. */
function cassetteOf(asked: string, answer: string): string {
  using line = conversation();
  line.open('s');
  line.ask({ body: asked, headers: inSession('s') }).json(answer);
  expect(line.failures).toEqual([]);
  return line.cassetteText().split('session: new')[1]!.slice('\n- '.length);
}

/** The same, each written as a message is that went the long way. */
function longWay(asked: string, answer: string): string {
  const said = (from: 'client' | 'server', text: string) =>
    eventText({ kind: 'message', at: 0, from, json: new JsonText(text), stream: 2 }, undefined);
  return said('client', asked) + said('server', answer);
}

describe('a body that is a message, and nothing beside it', () => {
  it.each([
    [
      'as SDKs write it',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
    ],
    [
      'with more than ASCII, and a revision',
      '{"id":1,"method":"ä"}',
      '{"id":1,"result":{"protocolVersion":"2025-06-18"}}',
    ],
    [
      'with white space and escapes',
      '{"id":1,\n"method":"a"}',
      ' {"id":1,"error":{"code":-32601,"message":"no: \\"a\\""}}\r\n',
    ],
    ['several of them', '[{"id":1,"method":"a"},{"id":2,"method":"b"}]', '[{"id":2,"result":{}},{"id":1,"result":{}}]'],
    ['long ones', `{"id":1,"method":"${'a'.repeat(70_000)}"}`, `{"id":1,"result":{"text":"${'b'.repeat(70_000)}"}}`],
  ])('is in the cassette as it passed: %s', (_, asked, answer) => {
    expect(cassetteOf(asked, answer)).toBe(longWay(asked, answer));
  });

  it('is in the cassette as it passed, whatever it says', () => {
    const text = fc.dictionary(fc.string(), fc.jsonValue()).map((message) => JSON.stringify(message));
    fc.assert(
      fc.property(text, text, (asked, answer) => {
        expect(cassetteOf(asked, answer)).toBe(longWay(asked, answer));
      }),
    );
  });

  it('and tells the revision is kept in mind: headers that say it are ordinary then', () => {
    using line = conversation();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    line.ask({ body: ping }).json({ jsonrpc: '2.0', id: 1, result: {} });
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
    line.ask({ body: initialize }).json({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } });
    const { 'Mcp-Session-Id': _, ...headers } = inSession('s');
    line.ask({ body: ping, headers }).json({ jsonrpc: '2.0', id: 1, result: {} });
    expect(line.cassetteText()).not.toContain('headers:');
  });
});
