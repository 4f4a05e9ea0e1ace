import { expect, it } from 'vitest';
import { McpRecordError } from '../../../src/kernel/errors.ts';
import { parseEditedValue } from '../../../src/ui/edit/parse-edited-value.ts';

it.each([
  ['{ "a": 1.0, "b": [true, null] }', '{"a":1.0,"b":[true,null]}'],
  ['{\n\t"a": {\n\t\t"b": "c\\n\\u0041\\/\\ud83d\\ude00"\n\t}\n}', '{"a":{"b":"c\\nA/😀"}}'],
  ['a: 1\nb:\n  - x\n  - |\n    two\n    lines\n', '{"a":1,"b":["x","two\\nlines\\n"]}'],
  ['a: 1\r\nb: 2\r\n', '{"a":1,"b":2}'],
  ['{}', '{}'],
])('%j is read as JSON or YAML', (text, json) => {
  expect(parseEditedValue(text)).toBe(json);
});

it.each([
  ['', 1, 1],
  ['[1]', 1, 1],
  ['a: 1\na: 2', 2, 1],
  ['{ "a": \n  ], }', 1, 8],
  ['a: .nan', 1, 4],
])('%j is refused with its place', (text, line, column) => {
  try {
    parseEditedValue(text);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof McpRecordError)) throw error;
    expect(error.problem).toMatchObject({ code: 'UI_ANSWER_UNREADABLE', place: { line, column } });
    expect(error.problem.why).not.toMatch(/^$|damaged/);
  }
});
