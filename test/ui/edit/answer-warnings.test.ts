import { expect, it } from 'vitest';
import { editAnswer } from '../../../src/edit/edit-answer.ts';
import { answerWarnings } from '../../../src/ui/edit/answer-warnings.ts';

const TEXT = `format: mcp-record/1
recorder: mcp-record 0.1.0
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: echo } }
- server: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: echo } }
- server: { jsonrpc: "2.0", id: 2, result: { content: wrong } }
`;
const before = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';
const warningsOf = (value: string) =>
  answerWarnings(editAnswer(TEXT, 'a.yaml', { line: 6, part: 0, before, value }), 'a.yaml');

it('names the broken rules of the edited answer, and not those of other messages', () => {
  expect(warningsOf('{"content":"nonsense"}')).toEqual(['"content" is not a list [tool-result]']);
});

it('is empty for an answer that keeps to the protocol', () => {
  expect(warningsOf('{"content":[{"type":"text","text":"hi"}]}')).toEqual([]);
});
