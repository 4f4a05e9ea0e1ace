import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { call as callOf, client, server } from '../support/conversation.ts';
import { a, b } from './cassettes.ts';

const RECORDED = 'recorder: mcp-record 1.0.0\n';

/** A cassette of these lines. */
const session = (file: string, events: readonly string[], header = '') =>
  parseCassette(`format: mcp-record/1\n${header}events:\n${events.join('\n')}\n`, file);

/** Differences of a reviewed cassette and of a new recording of its session. */
const rerecorded = (reviewed: readonly string[], recording: readonly string[]) =>
  diffSessions(
    session('old.yaml', reviewed),
    session('new.yaml', [...recording, '- end: the client closed'], RECORDED),
  );

const call = (args: string, name = 'price', id = 1) =>
  `- client: { id: ${id}, method: tools/call, params: { name: ${name}, arguments: ${args} } }`;
const answer = (result: string, id = 1) => `- server: { id: ${id}, result: ${result} }`;
const beside = (rules: string) => `  match: { ${rules} }`;

describe('a rule beside an answer', () => {
  const old = [call('{}'), answer('{ at: 1, price: 5 }'), beside('ignore: [/result/at]')];

  it('leaves its value out of the comparison with a new recording, which has no rules', () => {
    expect(rerecorded(old, [call('{}'), answer('{ at: 2, price: 5 }')])).toMatchObject({
      same: 1,
      otherSettings: 0,
      entries: [],
      notes: [
        'old.yaml has rules (match), as at line 4. new.yaml is a recording and has none.',
        'Rules (match) of old.yaml leave out all that differs of the messages at line 3.',
      ],
    });
  });

  it('leaves out nothing else', () => {
    const { entries, notes } = rerecorded(old, [call('{}'), answer('{ at: 2, price: 6 }')]);
    expect(entries).toMatchObject([
      {
        kind: 'changed',
        headline: '/result/price (5 → 6)',
        before: { result: { price: 5 } },
        after: { result: { price: 6 } },
      },
    ]);
    expect(notes.join()).not.toContain('leave out');
  });

  it('may be a regular expression', () => {
    const text = (date: string, left: number) =>
      answer(`{ content: [{ type: text, text: 'On ${date}: ${left} left' }] }`);
    const dated = [call('{}'), text('2026-11-26', 3), beside("ignore: ['/\\d{4}-\\d\\d-\\d\\d/']")];
    expect(rerecorded(dated, [call('{}'), text('2026-11-27', 3)])).toMatchObject({ same: 1, entries: [] });
    expect(rerecorded(dated, [call('{}'), text('2026-11-27', 2)]).entries).toHaveLength(1);
  });

  it('hides no change if only the second session has it, and is itself a difference', () => {
    const loosened = [call('{}'), answer('{ at: 2, price: 5 }'), beside('ignore: [/result/at]')];
    const plain = [call('{}'), answer('{ at: 1, price: 5 }')];
    const found = diffSessions(session('old.yaml', plain), session('new.yaml', loosened));
    expect(found).toMatchObject({ same: 0, otherSettings: 1, entries: [{ headline: '/result/at (1 → 2)' }] });
    expect(found.notes).toEqual([
      'The settings of the answer to tools/call "price" differ: old.yaml:4, new.yaml:4: match.ignore: none → ["/result/at"]',
    ]);
  });

  it('is that of the first session where both have one', () => {
    const wider = [call('{}'), answer('{ at: 2, price: 6 }'), beside('ignore: [/result]')];
    const found = diffSessions(session('old.yaml', old), session('new.yaml', wider));
    expect(found).toMatchObject({ otherSettings: 1, entries: [{ headline: '/result/price (5 → 6)' }] });
  });

  it('does nothing to other messages, where its own has no counterpart', () => {
    const other = (at: number) => [call('{}', 'stock', 2), answer(`{ at: ${at} }`, 2)];
    expect(rerecorded([...old, ...other(1)], other(2)).entries).toMatchObject([
      { kind: 'gone', title: 'tools/call "price"' },
      { kind: 'changed', title: 'tools/call "stock"', headline: '/result/at (1 → 2)' },
    ]);
  });

  it('holds for its page of a list, and the last one for further pages', () => {
    const page = (id: number, cursor: string, tool: string, next = '') => [
      `- client: { id: ${id}, method: tools/list${cursor && `, params: { cursor: ${cursor} }`} }`,
      answer(`{ tools: [{ name: ${tool}, description: ${tool}${next} }]${next && `, nextCursor: ${next}`} }`, id),
    ];
    const ignore = beside('ignore: [/result/tools/*/description]');
    const pages = [...page(1, '', 'a', 'x'), ...page(2, 'x', 'b'), ignore];
    const again = (first: string, second: string) => [
      ...page(1, '', 'a', 'x').map((line) => line.replace('description: ax', `description: ${first}`)),
      ...page(2, 'x', 'b').map((line) => line.replace('description: b', `description: ${second}`)),
    ];
    expect(rerecorded(pages, again('ax', 'other')).entries).toEqual([]);
    expect(rerecorded(pages, again('other', 'b')).entries).toHaveLength(1);
    const divided = page(2, 'x', 'b', 'y').map((line) => line.replace('name: b', 'name: b'));
    const third = ['- client: { id: 3, method: tools/list, params: { cursor: y } }', answer('{ tools: [] }', 3)];
    expect(rerecorded(pages, [...page(1, '', 'a', 'x'), ...divided, ...third]).entries).toEqual([]);
  });

  it('hides of definitions what it names, and no breaking change beside it', () => {
    const listed = (description: string, required: string) => [
      '- client: { id: 1, method: tools/list }',
      answer(
        `{ tools: [{ name: a, description: ${description}, inputSchema: { type: object, required: ${required} } }] }`,
      ),
    ];
    const reviewed = [...listed('one', '[]'), beside('ignore: [/result/tools/0/description]')];
    expect(rerecorded(reviewed, listed('two', '[]')).entries).toEqual([]);
    const [entry] = rerecorded(reviewed, listed('two', '[city]')).entries;
    expect(entry?.changes).toMatchObject([{ severity: 'breaking' }]);
  });
});

describe('a rule beside a call', () => {
  const result = answer('{ ok: true }');

  it.each([
    ['ignore: [/params/arguments/at]', '{ at: 1, city: Oslo }', '{ at: 2, city: Oslo }', '{ at: 1, city: Rome }'],
    ['ignore: [/params/arguments/at]', '{ at: 1 }', '{}', '{ city: Rome }'],
    ['arguments: any', '{ city: Oslo }', '{ at: 2 }', undefined],
    ['arguments: partial', '{ city: Oslo }', '{ city: Oslo, at: 2 }', '{ city: Rome, at: 2 }'],
    ['arguments: { city: /^o/i }', '{ city: Oslo }', '{ city: Odense }', '{ city: Rome }'],
  ])('{ %s } accepts the arguments that a mock server accepts', (rule, before, accepted, refused) => {
    const old = [call(before), beside(rule), result];
    expect(rerecorded(old, [call(accepted), result])).toMatchObject({ same: 1, entries: [] });
    if (refused === undefined) return;
    expect(rerecorded(old, [call(refused), result]).entries).toMatchObject([
      { kind: 'changed', headline: expect.stringContaining('asks otherwise: /params/arguments') },
    ]);
  });

  it('finds its counterpart among other calls of the tool', () => {
    const at = (n: number, city: string, id: number) => [
      call(`{ at: ${n}, city: ${city} }`, 'price', id),
      answer(`{ of: ${city} }`, id),
    ];
    const [oslo, ...answered] = at(1, 'Oslo', 1);
    const old = [oslo!, beside('ignore: [/params/arguments/at]'), ...answered, ...at(5, 'Rome', 2)];
    // By their values, the call of Rome at 1 is as near as that of Oslo.
    expect(rerecorded(old, [...at(5, 'Rome', 1), ...at(7, 'Oslo', 2)]).entries).toMatchObject([{ kind: 'moved' }]);
  });
});

describe('an optional message', () => {
  const optional = beside('optional: true');
  const ok = answer('{ ok: true }');
  const note = (data: string) => `- server: { method: notifications/message, params: { level: info, data: ${data} } }`;

  it('may be answered otherwise, or not at all', () => {
    const old = [call('{}'), ok, optional];
    expect(rerecorded(old, [call('{}'), answer('{ ok: false }')])).toMatchObject({ same: 1, entries: [] });
    expect(rerecorded(old, [call('{}')])).toMatchObject({ same: 1, entries: [] });
    expect(rerecorded([call('{}'), ok], [call('{}')]).entries).toHaveLength(1);
  });

  it('may be left out by the server, and may not say something else', () => {
    const old = [call('{}'), note('one'), optional, ok];
    expect(rerecorded(old, [call('{}'), ok])).toMatchObject({ entries: [] });
    expect(rerecorded(old, [call('{}'), note('two'), ok]).entries).toMatchObject([{ kind: 'changed' }]);
  });

  it('is the one that is missing, of two equal ones', () => {
    const two = [call('{}'), note('one'), optional, note('one'), ok];
    expect(rerecorded(two, [call('{}'), note('one'), ok]).entries).toEqual([]);
    expect(rerecorded(two, [call('{}'), ok]).entries).toMatchObject([{ kind: 'gone' }]);
  });

  it('of the client is missed: nothing shows any more that it is answered', () => {
    expect(rerecorded([call('{}'), optional, ok], []).entries).toMatchObject([{ kind: 'gone' }]);
  });
});

describe('a redacted value', () => {
  const get = (balance: unknown, key = 'none') => [
    client(callOf(1, 'get', { key })),
    server({ jsonrpc: '2.0', id: 1, result: { structuredContent: { balance } } }),
  ];
  const BALANCE = '[redacted:balance:1]';
  const notes = (before: Parameters<typeof get>, after: Parameters<typeof get>) =>
    diffSessions(a(...get(...before)), b(...get(...after))).notes;

  it('of both sessions is noted: its value and its type are not known', () => {
    const note = `${BALANCE} was not compared with a value: it may stand for another one now, also of another type.`;
    expect(notes([BALANCE], [BALANCE])).toEqual([note]);
    expect(notes([BALANCE, '[redacted:key:1]'], [BALANCE, '[redacted:key:1]'])).toEqual([
      expect.stringMatching(/^\[redacted:key:1\], \[redacted:balance:1\] were not compared with values/),
    ]);
  });

  it('of one session is noted, with what makes the other one equal', () => {
    const next = (file: string) =>
      expect.stringMatching(new RegExp(`^${file} has values.* --redact-rules FILE ${file}`));
    expect(notes([BALANCE], [7010])).toEqual([next('b.yaml')]);
    expect(notes([7010], [BALANCE])).toEqual([next('a.yaml')]);
  });

  it('of one session that the same rules have redacted is noted, with the option that leaves it out', () => {
    const by = (names: string[], { header, ...rest }: ReturnType<typeof a>) => ({
      ...rest,
      header: { ...header, redactRules: names },
    });
    const [before, after] = [a(...get(BALANCE)), b(...get(7010))];
    expect(diffSessions(by(['balance'], before), by(['balance'], after)).notes).toEqual([
      expect.stringMatching(/^b\.yaml has values where a\.yaml has placeholders\. Both .*: --ignore POINTER\.$/),
    ]);
    expect(diffSessions(by(['balance'], before), by(['key'], after)).notes).toEqual([
      expect.stringContaining('--redact-rules FILE b.yaml'),
    ]);
  });

  it('is not noted if there is none, or if the whole message is gone', () => {
    expect(notes([7010], [7010])).toEqual([]);
    expect(diffSessions(a(...get(BALANCE)), b()).notes).toEqual([]);
  });

  it('are ten at most', () => {
    const many = Array.from({ length: 12 }, (_, n) => `[redacted:balance:${n + 1}]`);
    expect(notes([many], [many])).toEqual([expect.stringContaining('balance:10] and 2 more were not')]);
  });
});
