import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';

interface Written {
  asked?: string;
  answered?: string;
  header?: string;
  progress?: string;
}

/** A call of `price`, with lines beside the call, its progress and its answer. */
function session(file: string, { asked = '', answered = '', progress = '', header = '' }: Written = {}) {
  const beside = (text: string) => (text === '' ? '' : `  ${text}\n`);
  return parseCassette(
    `format: mcp-record/1
transport: stdio
${header}events:
- client:
    jsonrpc: '2.0'
    id: 1
    method: tools/call
    params:
      name: price
      _meta: { progressToken: 1 }
${beside(asked)}- server:
    jsonrpc: '2.0'
    method: notifications/progress
    params: { progressToken: 1, progress: 1 }
${beside(progress)}- server:
    jsonrpc: '2.0'
    id: 1
    result: { content: [] }
${beside(answered)}- end: the client closed
`,
    file,
  );
}

const diff = (a: Written, b: Written) => diffSessions(session('old.yaml', a), session('new.yaml', b));
const RECORDER = 'recorder: mcp-record 1.0.0\n';
const IGNORE = "match: { ignore: ['/result/content'] }";

describe('rules beside events', () => {
  it('are noted with both places where an answer is compared less', () => {
    expect(diff({}, { answered: IGNORE })).toMatchObject({
      same: 0,
      otherSettings: 1,
      entries: [],
      notes: [
        'The settings of the answer to tools/call "price" differ: old.yaml:15, new.yaml:15: match.ignore: none → ["/result/content"]',
      ],
    });
  });

  it.each([
    ['match: { arguments: any }', 'match.arguments: none → "any"'],
    ['match: { repeat: last }', 'match.repeat: none → "last"'],
    ['after: 250', 'after: none → "250"'],
  ])('are noted beside a call: %s', (asked, words) => {
    const { notes, otherSettings } = diff({}, { asked });
    expect(notes[0]).toBe(`The settings of tools/call "price" differ: old.yaml:4, new.yaml:4: ${words}`);
    expect(otherSettings).toBe(1);
  });

  it('are noted beside an event that belongs to no message of its own', () => {
    const { notes, otherSettings } = diff({}, { progress: "match: { ignore: ['/params/progress'] }" });
    expect(notes).toEqual([
      'The settings of other events differ. Only one of the cassettes has: new.yaml:11 (match.ignore: ["/params/progress"])',
    ]);
    expect(otherSettings).toBe(1);
  });

  it('are noted in an edited recording, too', () => {
    expect(diff({ header: RECORDER }, { header: RECORDER, answered: IGNORE }).otherSettings).toBe(1);
  });

  it('do not count where the second session is a recording, which has none', () => {
    expect(diff({ answered: IGNORE }, { header: RECORDER })).toMatchObject({
      same: 1,
      otherSettings: 0,
      notes: ['old.yaml has rules (match), as at line 15. new.yaml is a recording and has none.'],
    });
  });

  it('do not count twice where the answer differs, too', () => {
    const other = session('new.yaml', { answered: IGNORE });
    const one = session('old.yaml', {});
    const failed = { ...one, events: one.events.slice(0, 2) };
    expect(diffSessions(failed, other)).toMatchObject({ same: 0, otherSettings: 1, entries: [{ kind: 'changed' }] });
  });
});

describe('nothing is noted', () => {
  it.each([
    ['without rules', {}, {}],
    ['where the rules are equal', { answered: IGNORE, asked: 'after: 20' }, { answered: IGNORE, asked: 'after: 20' }],
    [
      'where the rules are equal in another order',
      { answered: "match: { ignore: ['/result/a', '/result/b'] }" },
      { answered: "match: { ignore: ['/result/b', '/result/a'] }" },
    ],
    ['where recordings have another pace', { header: RECORDER, answered: 'after: 5000' }, { header: RECORDER }],
  ])('%s', (_, one, other) => {
    expect(diff(one, other)).toMatchObject({ same: 1, otherSettings: 0, entries: [], notes: [] });
  });
});
