import { describe, expect, it } from 'vitest';
import { parseCassette, parseShownCassette } from '../../src/cassette/read/parse-cassette.ts';
import { sessionText } from '../../src/diff/session-text.ts';
import { compileLinear } from '../../src/kernel/linear-regex.ts';
import { ignoreInStrings } from '../../src/match/ignore-rules.ts';
import { call, cancel, client, exits, notification, progress, result, server } from '../support/conversation.ts';
import { a } from './cassettes.ts';

it('puts each answer below its request, without what differs from run to run', () => {
  const digest = sessionText(
    a(
      client(call(1, 'slow', { n: 1 }, 'p')),
      client(call(2, 'fast')),
      server(progress('p', 1)),
      server(result(2, 'two\nlines')),
      server(notification('message', { level: 'info', data: 'up' })),
      client(cancel(1)),
      exits(0),
    ),
  );
  expect(digest).toMatchInlineSnapshot(`
    "→ tools/call "slow"
      name: slow
      arguments:
        "n": 1
    ← no answer (cancelled)

    → tools/call "fast"
      name: fast
    ← result
      text: |-
        two
        lines

    ← notifications/message
      level: info
      data: up

    exit: 0
    "
  `);
});

it('is the same under other ids and in another order of overlapping answers', () => {
  const one = a(client(call(1, 'x')), client(call(2, 'y')), server(result(1, '')), server(result(2, '')));
  const other = a(client(call(8, 'x')), client(call(9, 'y')), server(result(9, '')), server(result(8, '')));
  expect(sessionText(one)).toBe(sessionText(other));
});

const played = (...lines: string[]) => {
  const text = `format: mcp-record/1\n${lines.join('\n')}\n`;
  return sessionText(parseCassette(text, 'a.yaml'), text);
};
const ASK = '- client: { id: 1, method: tools/call, params: { name: x } }';
const ANSWER = '- server: { id: 1, result: { text: a } }';

it('shows what a user writes beside a request, its answer and a notification, and comments', () => {
  const digest = played(
    'transport: http',
    'url: https://example.com/mcp',
    'events:',
    '# The clock differs.',
    ASK,
    '  match: { arguments: any, repeat: last }',
    ANSWER,
    '  match: { ignore: [/result/text] }',
    "  headers: { retry-after: '1' }",
    '  after: 40',
    '- server: { method: notifications/message, params: { level: info, data: up } }',
    '  match: { ignore: [/params/data] }',
  );
  expect(digest).toMatchInlineSnapshot(`
    "transport: http
    url: https://example.com/mcp

    # The clock differs.

    → tools/call "x"
      # match.arguments: "any"
      # match.repeat: "last"
      name: x
    ← result
      # match.ignore: ["/result/text"]
      # headers.retry-after: "1"
      # after: 40
      text: a

    ← notifications/message
      # match.ignore: ["/params/data"]
      level: info
      data: up
    "
  `);
});

describe('a refused match', () => {
  const shown = (...lines: string[]) => {
    const text = `format: mcp-record/1\nevents:\n${lines.join('\n')}\n`;
    expect(() => parseCassette(text, 'a.yaml')).toThrow('CASSETTE_BAD_EVENT');
    return sessionText(parseShownCassette(Buffer.from(text), 'a.yaml'), text);
  };
  const good = played('events:', ASK, ANSWER, '  match: { ignore: [/result/text] }').split('\n');
  const linesOnlyIn = (text: string) => text.split('\n').filter((line) => !good.includes(line));

  it.each([
    ['that ignores every text', '  match: { ignore: [/.*/] }', 'match.ignore: ["/.*/"]'],
    ['with an unknown rule', '  match: { ignored: [/a] }', 'match.ignored: ["/a"]'],
    ['that is no mapping', '  match: any', 'match: "any"'],
    ['that is empty', '  match:', 'match: null'],
  ])('%s is shown as it is written, with its error', (_, line, words) => {
    expect(linesOnlyIn(shown(ASK, ANSWER, line))).toEqual([
      `  # ${words}`,
      expect.stringMatching(/^ {2}# match is refused: .* \[CASSETTE_BAD_EVENT\]$/),
    ]);
  });

  it('is shown in a foreign layout of YAML, too', () => {
    const text = shown('- &ask { client: { id: 1, method: tools/call, params: { name: x } } }', ANSWER, '  match: any');
    expect(text).toContain('[CASSETTE_BAD_EVENT]');
  });

  it('is shown beside an event that has no line of its own', () => {
    const exit = shown(ASK, ANSWER, '- exit: 0', '  match: { repeat: last }');
    expect(exit).toContain('another event\n  # match.repeat: "last"\n  # match is refused: ');
  });

  it.each([
    ['an end', '- end: complete', '  match: any'],
    ['a partial line', '- client: half', '  partial: true', '  match: any'],
    ['another error', ANSWER, '  match: any', '- nobody: 1'],
  ])('leaves %s an error', (_, ...lines) => {
    const text = Buffer.from(`format: mcp-record/1\nevents:\n${ASK}\n${lines.join('\n')}\n`);
    expect(() => parseShownCassette(text, 'a.yaml')).toThrow('CASSETTE_BAD_EVENT');
  });
});

it('shows a rule beside a report of progress', () => {
  const progress = '- server: { method: notifications/progress, params: { progressToken: 1, progress: 1 } }';
  const digest = played('events:', ASK, progress, '  match: { ignore: [/params/progress] }', ANSWER);
  expect(digest).toContain('another event\n  # match.ignore: ["/params/progress"]\n');
});

it.each([
  ['match of the answer', '  match: { ignore: [/result/text] }'],
  ['another match of the answer', '  match: { ignore: [/result] }'],
  ['a delay', '  after: 50'],
  ['a comment', '# note'],
])('differs by %s', (_name, line) => {
  expect(played('events:', ASK, ANSWER, line)).not.toBe(played('events:', ASK, ANSWER));
});

it('shows the magnitude of a recorded delay of the server only', () => {
  const recorded = (ask: number, answer: number) =>
    played(
      'recorder: mcp-record 0.1.0',
      'transport: stdio',
      'events:',
      ASK,
      `  after: ${ask}`,
      ANSWER,
      `  after: ${answer}`,
      '- end: complete',
    );
  expect(recorded(3_000, 1_200)).toBe(recorded(4_000, 1_900));
  expect(recorded(0, 5_000)).toContain('← result\n  # after: 1 s or more\n');
  expect(recorded(0, 40)).toBe(recorded(0, 400));
});

it('does not show how long a recorded server took to start', () => {
  const started = (wait: number) =>
    played(
      'recorder: mcp-record 0.1.0',
      'events:',
      '- client: { id: 0, method: initialize, params: {} }',
      '- server: { id: 0, result: {} }',
      `  after: ${wait}`,
      '- end: complete',
    );
  expect(started(9_000)).toBe(started(1));
});

it('leaves out what is ignored', () => {
  const text = (date: string) => {
    const lines = ['events:', ASK, `- server: { id: 1, result: { text: 'At ${date}.' } }`];
    const cassette = parseShownCassette(Buffer.from(`format: mcp-record/1\n${lines.join('\n')}\n`), 'a.yaml');
    return sessionText(cassette, '', [ignoreInStrings(compileLinear('\\d+-\\d+'))]);
  };
  expect(text('10-11')).toBe(text('12-13'));
  expect(text('10-11')).toContain('At ');
});

it('has no comment of a text, nor the port of a recorded server on this machine', () => {
  const at = (port: number) =>
    played(
      '# MCP session recorded by mcp-record. Format: mcp-record/1',
      'recorder: mcp-record 0.1.0',
      'transport: http',
      `url: http://127.0.0.1:${port}/mcp`,
      'events:',
      ASK,
      '- server:',
      '    id: 1',
      '    result:',
      '      text: |-',
      '        # heading',
      '- end: complete',
    );
  expect(at(4000)).toBe(at(5000));
  expect(at(4000)).toContain('# heading');
  expect(at(4000)).not.toMatch(/^#/m);
});
