import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, Running, run } from '../../../support/process.ts';
import { client, file, newFolder, server, shrink } from './shrinking.ts';

const HEAD = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: swept, version: "1" } } }
- client: { method: notifications/initialized }
`;
let id = 0;
const call = (name: string, text: string, args = '{}') => {
  id++;
  return `- client: { id: ${id}, method: tools/call, params: { name: ${name}, arguments: ${args} } }
- server: { id: ${id}, result: { content: [{ type: text, text: "${text}" }] } }
`;
};
const times = (count: number, one: () => string) => Array.from({ length: count }, one).join('');
const note = (count: number) => call('note', `${count} notes`, '{ text: a note }');
const notes = (text: string) => call('notes', text);

/** A session in which the answer after a note is another one than the server gives. */
const afterNote = file(
  HEAD + times(6, () => notes('')) + note(1) + notes('another note') + times(6, () => notes('a note')),
);
/** A session with two such answers. */
const two = file(HEAD + note(1) + times(3, () => call('clear', 'cleared!')) + notes('not this'));
/** The server over HTTP has no notes. */
const overHttp = file(HEAD + times(3, () => call('note', 'a note')));
const right = file(HEAD + times(3, () => notes('')));

const shrinkAt = async (cassette: string, ...options: string[]) => {
  const small = newFolder();
  const ended = await shrink(['--server', ...options, '-o', small, cassette], server());
  return { ...ended, text: ended.stdout.toString(), small: join(small, 'cassette.yaml') };
};
const verify = async (cassette: string) => {
  const { command, args } = server();
  const { stdout, status } = await run(mcpRecord('verify', cassette, '--', command, ...args));
  return { text: stdout.toString(), status };
};

describe('shrink of a wrong answer', () => {
  it('keeps the call that the answer depends on, and fails verify in the same way alone', async () => {
    const { text, status, small } = await shrinkAt(afterNote);
    expect(text).toMatch(/^wrong tools\/call "notes" {2}\(\S+cassette\.yaml:\d+\)\n {4}\/result\/content\/0\/text \(/);
    expect(text).toContain(`again: mcp-record verify ${small} -- `);
    expect(text).toMatch(/^7 of 31 messages left after \d+ runs, of which the last three failed in this way$/m);
    expect(text).toContain('6 calls before it are gone that may change what the server answers.');
    expect(status).toBe(0);
    expect(readFileSync(small, 'utf8').match(/^- /gm)).toHaveLength(7);
    const again = await verify(small);
    expect(again.text).toContain('("another note" → "a note")');
    expect([again.text.split('\n').at(-2), again.status]).toEqual([expect.stringMatching(/^1 failed, 2 passed/), 1]);
  });

  it('shrinks the one that --point names, and says which earlier calls are gone', async () => {
    const { text, status, small } = await shrinkAt(two, '--point', 'verify@10');
    expect(text).toMatch(/^wrong tools\/call "clear"/);
    expect(text).toMatch(/^5 of 13 messages left/m);
    expect(text.replaceAll('\n', ' ')).toContain('2 calls before it are gone that may change what the server answers.');
    expect(status).toBe(0);
    expect((await verify(small)).text).toContain('("cleared!" → "cleared")');
  });

  it('does so over HTTP', async () => {
    await using running = new Running(fixture('swept-http-server.js'));
    const url = await running.line();
    const small = newFolder();
    const { stdout, stderr, status } = await run(mcpRecord('shrink', '--server', '--http', '-o', small, overHttp, url));
    expect([stdout.toString(), stderr, status]).toEqual([
      expect.stringContaining(`--http ${url}`),
      expect.anything(),
      0,
    ]);
    const again = await run(mcpRecord('verify', join(small, 'cassette.yaml'), '--http', url));
    expect(again.status).toBe(1);
  });

  it.each([
    ['where the server answers as recorded', right, [], 'SHRINK_NO_FAILURE'],
    ['at a line without a wrong answer', two, ['--point', 'verify@3'], 'USAGE_BAD_SWEEP'],
  ])('is refused %s', async (_, cassette, options, code) => {
    const { stderr, status, small } = await shrinkAt(cassette, ...options);
    expect([stderr, status]).toEqual([expect.stringContaining(`[${code}]`), 2]);
    expect(existsSync(small)).toBe(false);
  });

  it('is refused of a client', async () => {
    const { stderr, status } = await shrink(['--point', 'verify@3', '-o', newFolder(), two], client('fails'));
    expect([stderr, status]).toEqual([expect.stringContaining('[USAGE_BAD_SWEEP]'), 2]);
  });
});

describe('shrink of a wrong answer behind one with values that a rule redacted', () => {
  const rules = file('redact:\n- pattern: ^a note$\n  name: note\n');
  const redacted = file(HEAD + note(1) + notes('[redacted:note:1]') + call('clear', 'cleared!'));

  it('takes the redacted answer for wrong without the rules', async () => {
    expect((await shrinkAt(redacted)).text).toMatch(/^wrong tools\/call "notes" /);
  });

  it('passes over it with the rules, and repeats the failure with them', async () => {
    const { text, status, small } = await shrinkAt(redacted, '--redact-rules', rules);
    expect([text, status]).toEqual([expect.stringMatching(/^wrong tools\/call "clear" /), 0]);
    expect(text).toContain(`again: mcp-record verify --redact-rules=${rules} ${small} -- `);
  });

  it.each([
    [['--redact-key', 'a', '--point', 'stall@3'], 'Cannot use --redact-key'],
    [['--redact-rules', 'a', '--inputs', '--point', 'wrong-type@add'], 'Cannot use --redact-rules'],
  ])('refuses rules where they have no meaning: %j', async (options, expected) => {
    const { stderr, status } = await shrinkAt(redacted, ...options);
    expect([stderr, status]).toEqual([expect.stringMatching(`${expected}.*USAGE_OPTION_WITHOUT_MEANING`), 2]);
  });
});
