import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { countMessages, smallerCassettes } from '../../../src/sweep/shrink/build-smaller-cassette.ts';

const TEXT = `# MCP session recorded by mcp-record. Format: mcp-record/1
format: mcp-record/1
recorder: mcp-record 1.0.0
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
  after: 20
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: one } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [{ type: text, text: one }] } }
  match: { repeat: last }
- end: the client closed its input
`;
const whole = parseCassette(TEXT, 'whole.yaml');
const make = smallerCassettes(whole);
const none = new Map<number, JsonText>();

describe('a smaller cassette', () => {
  it('has the kept events without times, and the line of its target', () => {
    const made = make({ kept: [0, 1, 2, 3, 4], payloads: none, targets: [4] })!;
    expect(made.text).not.toContain('after:');
    expect(made.text).toContain('match: {"repeat":"last"}');
    expect(made.cassette.end).toBe('the client closed its input');
    expect(made.text.split('\n')[made.lines[0]! - 1]).toMatch(/^- server:/);
    expect(made.messages).toBe(5);
    expect(countMessages(whole)).toBe(5);
  });

  it('has smaller messages', () => {
    const json = new JsonText('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(make({ kept: [0, 1, 2, 3, 4], payloads: new Map([[4, json]]), targets: [4] })!.text).toContain(
      'content: []',
    );
  });

  it('is none if it cannot be played, or breaks a rule that the whole one keeps', () => {
    expect(make({ kept: [0, 1, 2, 4], payloads: none, targets: [4] })).toBeUndefined();
    const json = new JsonText('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(make({ kept: [0, 1, 2, 3, 4], payloads: new Map([[4, json]]), targets: [4] })).toBeUndefined();
  });

  it('is none without its target', () => {
    expect(make({ kept: [0, 1, 2], payloads: none, targets: [4] })).toBeUndefined();
  });

  it('of a recorder that was killed is as one that is written by hand', () => {
    const { end: _, ...killed } = whole;
    const made = smallerCassettes(killed)({ kept: [0, 1, 2, 3, 4], payloads: none, targets: [4] })!;
    expect([made.text.includes('recorder:'), made.cassette.warnings]).toEqual([false, []]);
  });
});
