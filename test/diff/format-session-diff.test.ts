import { expect, it } from 'vitest';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { diffText } from '../../src/diff/format-session-diff.ts';
import { call, client, result, server } from '../support/conversation.ts';
import { a, b } from './cassettes.ts';

const asIs = (text: string) => text;
const PLAIN = { good: asIs, bad: asIs, dim: asIs, bold: asIs, hunk: asIs };

it('says first what differs, then draws it, then counts', () => {
  const one = a(client(call(1, 'add')), server(result(1, '2')), client(call(2, 'old')), server(result(2, '')));
  const other = b(client(call(1, 'add')), server(result(1, '3')));
  expect(diffText(diffSessions(one, other), PLAIN).join('\n')).toMatchInlineSnapshot(`
    "~ tools/call "add": /result/text ("2" → "3") (a.yaml:1, b.yaml:1)
    - tools/call "old": the client no longer says this (a.yaml:3)

    ~ tools/call "add": /result/text ("2" → "3") (a.yaml:1, b.yaml:1)
      --- a.yaml:1
      +++ b.yaml:1
        result:
      -   text: "2"
      +   text: "3"

    1 changed, 1 gone, 0 the same"
  `);
});

it('shows nothing that would move the cursor', () => {
  const one = a(client(call(1, 'add\u001b[2J')), server(result(1, '2')));
  expect(diffText(diffSessions(one, b()), PLAIN)[0]).not.toContain('\u001b');
});

it('has a line for sessions that are the same', () => {
  expect(diffText(diffSessions(a(), b()), PLAIN)).toEqual(['0 the same']);
});

it('marks other settings as a failure, with the reason, and counts them', () => {
  const one = a(client(call(1, 'add')), server(result(1, '2')));
  const other = b(client(call(1, 'add')), server(result(1, '2')));
  other.events[1]!.match = { ignore: ['/result/text'] };
  expect(diffText(diffSessions(one, other), PLAIN)).toEqual([
    '✗ The settings of the answer to tools/call "add" differ: a.yaml:2, b.yaml:2: match.ignore: none → ["/result/text"]',
    '  Other rules fail, because they decide what a test accepts: a new one could hide a breaking change.',
    '1 with other settings, 0 the same',
  ]);
});

it('marks what --fail-on lets pass', () => {
  const diff = diffSessions(a(client(call(1, 'add')), server(result(1, '2'))), b());
  const [entry] = diff.entries;
  const heads = diffText({ ...diff, entries: [entry!, { ...entry!, passes: true }] }, PLAIN);
  expect(heads.slice(0, 2)).toEqual([
    '- tools/call "add": the client no longer says this (a.yaml:1)',
    '✓ tools/call "add": the client no longer says this (a.yaml:1)',
  ]);
});

it('names a difference without a severity beside a compatible change, because it is why the comparison fails', () => {
  const listed = (names: string[], more: object) => {
    const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
    return server({ jsonrpc: '2.0', id: 1, result: { tools, ...more } });
  };
  const list = client({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headOf = (more: object) =>
    diffText(diffSessions(a(list, listed(['add'], { note: 'x' })), b(list, listed(['add', 'mul'], more))), PLAIN)[0];
  expect(headOf({ note: 'y' })).toBe(
    '~ tools/list: compatible: new tool "mul"; another difference has no severity (a.yaml:1, b.yaml:1)',
  );
  expect(headOf({ note: 'x' })).toBe('~ tools/list: compatible: new tool "mul" (a.yaml:1, b.yaml:1)');
});
