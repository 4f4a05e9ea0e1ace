import { describe, expect, it } from 'vitest';
import { editableAnswerText, editableText } from '../../../../src/html-report/browser/live/editable-answer-text.ts';
import type { Item } from '../../../../src/html-report/data/report-data-types.ts';

const itemOf = (text: string, rest: Partial<Item> = {}): Item => ({
  id: 'line-7',
  line: 7,
  at: 0,
  from: 'server',
  kind: 'response',
  what: 'result',
  content: { text, language: 'json' },
  ...rest,
});

describe('what may be edited', () => {
  it.each([
    ['{"id":1,"result":{"a":1.0}}', { name: 'result', json: '{"a":1.0}' }],
    ['{"id":1,"error":{"code":-1}}', { name: 'error', json: '{"code":-1}' }],
    ['{"id":1,"result":[]}', undefined],
    ['{"id":1}', undefined],
  ])('of %s', (text, part) => {
    expect(editableAnswerText(itemOf(text))).toEqual(part);
  });

  it('is nothing of a request, of a text, and of a message that the page has a part of', () => {
    const text = '{"id":1,"result":{}}';
    expect(editableAnswerText(itemOf(text, { kind: 'request' }))).toBeUndefined();
    expect(editableAnswerText(itemOf(text, { content: { text, language: 'text', cutFrom: 999 } }))).toBeUndefined();
    const { content: _, ...none } = itemOf(text);
    expect(editableAnswerText(none)).toBeUndefined();
  });

  it('is shown with its numbers and keys as they are', () => {
    const json = '{"b":1.0,"a":["x: \\n",{}]}';
    expect(editableText(json, 'JSON')).toBe('{\n  "b": 1.0,\n  "a": [\n    "x: \\n",\n    {}\n  ]\n}');
    expect(editableText(json, 'YAML')).toBe('b: 1.0\na:\n  - "x: \\n"\n  - {}');
    expect(editableText('{}', 'JSON')).toBe('{}');
    expect(editableText('{}', 'YAML')).toBe('{}');
  });
});
