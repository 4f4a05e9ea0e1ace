import { expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { proposalText } from '../../../src/cli/verify/proposal-text.ts';

it('gives options of the session to copy into a shell, with some of what was seen', () => {
  const lines = proposalText([{ patterns: ["it's"], pointers: ["/a/it's"], seen: ['1', '2', '3', '4', '5'] }], {
    file: 'a.yaml',
  });
  expect(lines.slice(3)).toEqual([
    "  --ignore-pattern 'it'\\''s'",
    '      1',
    '      2',
    '      3',
    '      and 2 more',
    "      Or the whole text, which may then be missing: --ignore '/a/it'\\''s'",
  ]);
});

it('gives YAML for each event, the last one first, and before the options', () => {
  const one = { patterns: ["id it's \\w+"], pointers: ['/result/x'], seen: ['a'] };
  const other = { patterns: [], pointers: ['/result/y'], seen: ['b'] };
  const text = proposalText(
    [
      { ...one, beside: [{ line: 3, next: 9 }, { line: 20 }] },
      {
        ...other,
        beside: [
          { line: 3, next: 9 },
          { line: 12, next: 15, hasMatch: true },
        ],
      },
      { patterns: ['\\d\\d:\\d\\d'], pointers: ['/z'], seen: ['c'] },
    ],
    { file: 'a.yaml' },
  ).join('\n');
  expect(text).toContain(`
  # below the event at a.yaml:20, at the end of the file
  match:
    ignore:
      - '/id it''s \\w+/'
      # a
      # Or the whole text, which may then be missing: '/result/x'

  # add to "match" of the event at a.yaml:12
    ignore:
      - '/result/y'
      # b
      # No pattern fits. A pointer passes any value there, and a missing one unless a later call sends it.

  # insert at a.yaml:9, below the event of line 3
  match:
    ignore:
      - '/id it''s \\w+/'
      - '/result/y'
      # a
      # b
      # Or the whole text, which may then be missing: '/result/x'
      # No pattern fits. A pointer passes any value there, and a missing one unless a later call sends it.

These options leave out dates and times in the whole session. A pattern may also stand in "match", as '/PATTERN/':
  --ignore-pattern`);
});

it('does not propose a rule again that the event has, but says why it does not help', () => {
  const place = { line: 3, next: 9, hasMatch: true as const, rules: ['/note:\\w+/'] };
  const proposals = [{ patterns: ['note:\\w+'], pointers: ['/result/x'], seen: ['a'], beside: [place] }];
  const text = proposalText(proposals, { file: 'a.yaml' }).join('\n');
  expect(text).not.toContain("- '/note");
  expect(text).toContain("'/note:\\w+/' is there already, but the live value is in an answer without this rule");
});

it('says that there is nothing to propose', () => {
  expect(proposalText([], { file: 'a.yaml' })).toEqual([
    'No rule is proposed: two runs of the server say the same, in all that is compared.',
  ]);
  expect(proposalText([], { file: 'a.yaml', isFailed: true })[1]).toContain('What fails is a change of the server');
});

it('names the line of the end where the file has one', () => {
  const proposal = { patterns: [], pointers: ['/result/x'], seen: ['a'], beside: [{ line: 3 }] };
  const shown = (text: string) => proposalText([proposal], { file: 'a.yaml', text }).join('\n');
  expect(shown('events:\n- end: { from: client }\n')).toContain('below the event at a.yaml:3, above "- end"');
  expect(shown('events:\n- close: client\n')).toContain('below the event at a.yaml:3, at the end of the file');
});

it('indents the YAML as the file does, so that it can be pasted as it is', () => {
  const proposal = { patterns: [], pointers: ['/result/x'], seen: ['a'], beside: [{ line: 3, next: 4 }] };
  const text = 'format: mcp-record/1\nevents:\n    -   server: { id: 1, result: { x: 1 } }\n    -   close: client\n';
  const lines = proposalText([proposal], { file: 'a.yaml', text });
  const at = lines.findIndex((line) => line.endsWith('match:'));
  const pasted = text.split('\n');
  pasted.splice(3, 0, ...lines.slice(at, at + 3));
  expect(parseCassette(pasted.join('\n'), 'a.yaml').events[0]!.match).toEqual({ ignore: ['/result/x'] });
});
