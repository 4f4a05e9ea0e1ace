import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { rewriteEvents } from '../../../src/verify/update/rewrite-events.ts';

const TAPE = `# MCP session recorded by mcp-record. Format: mcp-record/1
format: mcp-record/1
transport: stdio
events:
- client:
    jsonrpc: "2.0"
    id: 1
    method: a
# what the server says to that
- server:
    jsonrpc: "2.0"
    id: 1
    result:
      text: |-
        one

        two
  after: 40   # quick
- server: '{"id":2,"id":2}'

- close: client
- end: complete
`;
const rewrite = (text: string, changes: Record<number, string>) =>
  rewriteEvents(
    parseCassette(text, 'cassette.yaml'),
    text,
    new Map(Object.entries(changes).map(([event, json]) => [Number(event), new JsonText(json)])),
  );

describe('rewriteEvents', () => {
  it('changes the lines of the message, and no other', () => {
    const text = rewrite(TAPE, { 1: '{"jsonrpc":"2.0","id":1,"result":{"text":"three"}}' });
    expect(text).toBe(TAPE.replace('text: |-\n        one\n\n        two', 'text: three'));
  });

  it('changes several at once, whatever their lengths', () => {
    const text = rewrite(TAPE, { 1: '{"id":1,"result":{"a":"x\\ny\\n"}}', 2: '{"id":2,"result":{}}' });
    expect(text).toContain('  after: 40   # quick\n- server:\n    id: 2\n    result: {}\n\n- close: client\n');
    expect(text.startsWith(TAPE.slice(0, TAPE.indexOf('- server:')))).toBe(true);
  });

  it('keeps the line breaks of the file', () => {
    const text = rewrite(TAPE.replaceAll('\n', '\r\n'), { 2: '{"id":2,"result":{}}' });
    expect(text).toContain('\r\n- server:\r\n    id: 2\r\n    result: {}\r\n\r\n- close');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each([
    ['is laid out otherwise', '- server: {\n    "id": 1, "result": {}\n  }\n'],
    ['begins with a detail', '- after: 40\n  server:\n    id: 1\n    result: {}\n'],
  ])('refuses an event that %s, rather than damage the file', (_how, event) => {
    const text = `format: mcp-record/1\ntransport: stdio\nevents:\n- client: {id: 1, method: a}\n${event}`;
    let cassette: ReturnType<typeof parseCassette>;
    try {
      cassette = parseCassette(text, 'cassette.yaml');
    } catch {
      // It is no event at all then: there is nothing to refuse.
      return;
    }
    const messages = new Map([[1, new JsonText('{"jsonrpc":"2.0","id":1,"result":{"a":1}}')]]);
    expect(() => rewriteEvents(cassette, text, messages)).toThrow(/\[CASSETTE_NOT_UPDATED\]/);
  });

  it('refuses a file that is no longer what was loaded', () => {
    const cassette = parseCassette(TAPE, 'cassette.yaml');
    const messages = new Map([[1, new JsonText('{"id":1,"result":{}}')]]);
    const changed = TAPE.replace('method: a', 'method: b');
    expect(() => rewriteEvents(cassette, changed, messages)).toThrow(
      /Cannot update cassette.yaml:5.*\[CASSETTE_NOT_UPDATED\]/s,
    );
    const longer = TAPE.replace('- end: complete', '- close: server\n- end: complete');
    expect(() => rewriteEvents(cassette, longer, messages)).toThrow(/\[CASSETTE_NOT_UPDATED\]/);
  });
});
