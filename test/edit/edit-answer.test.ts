import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import { editAnswer } from '../../src/edit/edit-answer.ts';
import { McpRecordError } from '../../src/kernel/errors.ts';

const HEAD = `# A comment of a person.
format: mcp-record/1
transport: stdio
events:
- client: { id: 1, method: tools/call, params: { name: a } }
# The answer.
`;

/** The answers of a cassette, each as an edit that changes nothing. */
function answersOf(text: string) {
  return eventsToEntries(parseCassette(text, 'a.yaml').events).flatMap(({ line, json, message }) => {
    const value = message && ('result' in message ? message.result : 'error' in message ? message.error : undefined);
    return json && value !== undefined ? [{ line, part: 0, before: json.text, value }] : [];
  });
}

/** Edits the first answer, and returns the lines that went and came. */
function edited(text: string, value: unknown) {
  const [answer] = answersOf(text);
  const after = editAnswer(text, 'a.yaml', { ...answer!, value: JSON.stringify(value) }).text;
  const [old, now] = [text, after].map((one) => one.split('\n'));
  const same = (line: string, other: string[]) => other.includes(line);
  return { gone: old!.filter((line) => !same(line, now!)), come: now!.filter((line) => !same(line, old!)), after };
}

function codeOf(task: () => unknown): string | undefined {
  try {
    task();
    return undefined;
  } catch (error) {
    return error instanceof McpRecordError ? error.code : String(error);
  }
}

describe('an answer that is edited', () => {
  const recorded = `${HEAD}- server:
    jsonrpc: "2.0"
    id: 1
    result:
      content:
        - type: text
          text: |-
            one
            two
            three
      isError: false # for now
  after: 14
- server: { method: notifications/message, params: { level: info, data: end } } # not changed
`;

  it('changes the line of a text that has several, and no other', () => {
    const value = { content: [{ type: 'text', text: 'one\nTWO\nthree' }], isError: false };
    expect(edited(recorded, value)).toMatchObject({ gone: ['            two'], come: ['            TWO'] });
  });

  it('changes a scalar, and keeps the comment behind it', () => {
    const value = { content: [{ type: 'text', text: 'one\ntwo\nthree' }], isError: true };
    expect(edited(recorded, value)).toMatchObject({
      gone: ['      isError: false # for now'],
      come: ['      isError: true # for now'],
    });
  });

  it('gets another element of a list in the layout of a recorder', () => {
    const value = {
      content: [
        { type: 'text', text: 'one\ntwo\nthree' },
        { type: 'text', text: 'four' },
      ],
      isError: false,
    };
    expect(edited(recorded, value)).toMatchObject({ gone: [], come: ['          text: four'] });
  });

  it('loses no comment: where it would, the edit is refused', () => {
    expect(codeOf(() => edited(recorded, { other: 1 }))).toBe('CASSETTE_NOT_EDITED');
  });

  it('keeps line breaks, a byte order mark and a line without end', () => {
    const windows = `\ufeff${recorded.replaceAll('\n', '\r\n').trimEnd()}`;
    const [answer] = answersOf(windows);
    const value = JSON.stringify({ content: [], isError: false });
    const { text } = editAnswer(windows, 'a.yaml', { ...answer!, value });
    expect(text.startsWith('\ufeff# A comment')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(text).toContain('      content: []\r\n      isError: false # for now\r\n  after: 14\r\n');
    expect(text.endsWith('# not changed')).toBe(true);
  });

  it('says which lines it has', () => {
    const [answer] = answersOf(recorded);
    const value = JSON.stringify({ content: [{ type: 'text', text: 'one' }], isError: false });
    const { text, lines } = editAnswer(recorded, 'a.yaml', { ...answer!, value });
    expect(text.split('\n')[lines.first - 1]).toBe('- server:');
    expect(text.split('\n')[lines.last - 1]).toBe('  after: 14');
  });

  it.each([
    ['in braces', '- server: { id: 1, result: { a: 1, b: "x" } } # mine', { a: 1, b: 'y' }, '{ a: 1, b: "y" }'],
    [
      'in braces, with another key',
      '- server: {id: 1, result: {a: 1}}',
      { a: 1, c: [2] },
      '{id: 1, result: {"a":1,"c":[2]}}',
    ],
    ['in quotes', "- server:\n    id: 1\n    result:\n      a: 'x'", { a: "it's" }, "a: 'it''s'"],
    ['without quotes', '- server:\n    id: 1\n    result:\n      a: x', { a: 'yes: no' }, 'a: "yes: no"'],
    [
      'as a text that YAML cannot hold',
      `- server: '{"id":1,"result":{"a":1,"a":2}}'`,
      { b: 1 },
      `'{"id":1,"result":{"b":1}}'`,
    ],
    [
      'as an error',
      '- server: {id: 1, error: {code: -1, message: x}}',
      { code: -2, message: 'x' },
      '{code: -2, message: x}',
    ],
    [
      'in another indentation',
      '- server:\n      id: 1\n      result:\n          a: 1\n          b: {}',
      { a: [1], b: {} },
      'a:\n            - 1',
    ],
  ])('%s keeps its layout', (_, event, value, expected) => {
    expect(edited(`${HEAD}${event}\n`, value).after).toContain(expected);
  });

  it('of a batch is one part of it', () => {
    const text = `${HEAD}- client: { id: 2, method: ping }\n- server:\n    - { id: 1, result: { a: 1 } }\n    - { id: 2, result: {} }\n`;
    const [, second] = answersOf(text);
    const after = editAnswer(text, 'a.yaml', { ...second!, part: 1, value: '{"a":2}' }).text;
    expect(after).toBe(text.replace('id: 2, result: {}', 'id: 2, result: {"a":2}'));
  });

  it('that is an error keeps a code and a message, without which clients reject it', () => {
    const text = `${HEAD}- server: { id: 1, error: { code: -1, message: x } }\n`;
    expect(codeOf(() => edited(text, { code: 'x' }))).toBe('CASSETTE_NOT_EDITED');
  });

  it('that is another one now is refused, as is a message that is no answer', () => {
    const text = `${HEAD}- server: { id: 1, result: {} }\n`;
    const [answer] = answersOf(text);
    expect(codeOf(() => editAnswer(text, 'a.yaml', { ...answer!, before: '{}', value: '{}' }))).toBe(
      'CASSETTE_CHANGED',
    );
    expect(codeOf(() => editAnswer(text, 'a.yaml', { ...answer!, line: 99, value: '{}' }))).toBe('CASSETTE_CHANGED');
    const { events } = parseCassette(text, 'a.yaml');
    const frame = events[0]!.frame;
    const before = frame.kind === 'message' ? frame.json.text : '';
    const request = { line: events[0]!.line, part: 0, before, value: '{}' };
    expect(codeOf(() => editAnswer(text, 'a.yaml', request))).toBe('CASSETTE_NOT_EDITED');
  });
});

const FOLDER = 'cassettes';
describe.each(readdirSync(FOLDER).filter((name) => name.endsWith('.yaml')))('%s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const answers = answersOf(text);

  it('is the same, byte for byte, when no answer changes', () => {
    for (const { value, ...answer } of answers.slice(0, 5))
      expect(editAnswer(text, name, { ...answer, value: JSON.stringify(value) }).text).toBe(text);
  });

  it('takes any result, and keeps all lines of other events', () => {
    const values = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.constant({}));
    fc.assert(
      fc.property(fc.nat(answers.length - 1), values, (which, made) => {
        const value = JSON.stringify(made);
        const isResult = 'result' in JSON.parse(answers[which]!.before);
        if (!isResult || !value.isWellFormed() || value.includes('__proto__')) return;
        const { text: after, lines } = editAnswer(text, name, { ...answers[which]!, value });
        const [old, now] = [text.split('\n'), after.split('\n')];
        expect(now.slice(0, lines.first - 1)).toEqual(old.slice(0, lines.first - 1));
        const rest = now.slice(lines.last);
        expect(rest).toEqual(rest.length === 0 ? [] : old.slice(-rest.length));
        const entry = answersOf(after).find(({ line }) => line === lines.first);
        expect(JSON.stringify(entry?.value)).toBe(value);
      }),
      { numRuns: 25 },
    );
  });
});
