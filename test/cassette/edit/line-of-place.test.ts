import { describe, expect, it } from 'vitest';
import { editableCassette } from '../../../src/cassette/edit/editable-cassette.ts';
import { lineOfPlace } from '../../../src/cassette/edit/line-of-place.ts';

const HEAD = 'format: mcp-record/1\ntransport: stdio\n';
const BLOCK = `${HEAD}events:
- close: client
- server:
    id: 1
    result:
      tools:
        - name: a
        - name: b
          inputSchema: { type: object }
`;
const FLOW = `${HEAD}events: [
  { server: { id: 1,
    result: { tools: [
      { name: a },
      { name: b,
        inputSchema: {} } ] } } } ]
`;
const BYTES = `${HEAD}events:\n- close: client\n- serverBytes: eyJhIjoxfQ==\n`;
const lineIn = (text: string, event: number, ...path: string[]) =>
  lineOfPlace(editableCassette(text, 'a.yaml').events[event]!, path);

describe('lineOfPlace', () => {
  it.each([
    ['a key', ['id'], 6],
    ['an item of a list', ['result', 'tools', '1'], 10],
    ['a key below an item', ['result', 'tools', '1', 'inputSchema', 'type'], 11],
    ['the part around what is not there', ['result', 'tools', '0', 'inputSchema', 'type'], 9],
    ['the list around an item that is not there', ['result', 'tools', '7'], 8],
    ['the message around another one', ['error'], 5],
  ])('is that of %s', (_, path, line) => {
    expect(lineIn(BLOCK, 1, ...path)).toBe(line);
  });

  it('knows other layouts, and gives an event without a message, or with its bytes, the first line', () => {
    expect(lineIn(FLOW, 0, 'result', 'tools', '1', 'inputSchema')).toBe(8);
    expect(lineIn(BLOCK, 0, 'result')).toBe(4);
    expect(lineIn(BYTES, 1, 'a')).toBe(5);
  });
});
