import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/main.ts';
import { columns } from '../../src/text-report/printable-text.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { type Command, mcpRecord } from '../support/command.ts';
import { type Ended, fixture, recorder, run } from '../support/process.ts';

const COLUMNS = 80;
const newFile = freeNames(temporaryFolder());
const everything = join(import.meta.dirname, '..', '..', 'cassettes', 'everything.yaml');
const filesystem = join(import.meta.dirname, '..', '..', 'cassettes', 'filesystem.yaml');

/** A session whose messages break the protocol. */
const wrong = newFile();
writeFileSync(
  wrong,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: ask, params: { a: 1 } }
- server: { jsonrpc: "2.0", id: 1, result: { text: short } }
- client: { jsonrpc: "2.0", id: 1, method: ask, params: { a: 2 } }
- server: { jsonrpc: "2.0", id: 1, result: { text: long } }
`,
);

/** Runs a command where a line has `width` columns. */
async function ranAt(width: number, { command, args }: Command): Promise<Ended> {
  return await run({ command, args, env: { COLUMNS: String(width) } });
}

/** Lines that a terminal would break inside a word: they are too long, and could have been broken before. */
const broken = (text: string) =>
  text.split('\n').filter((line) => columns(line) > COLUMNS && /\S\s+\S/.test(line.slice(0, COLUMNS)));
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '' && word !== '\\');

describe('the check', () => {
  it('sees a line that is too long, and not a word that is', () => {
    const word = 'x'.repeat(100);
    expect(broken(`a ${word}\n${word}\n  ${word}\na b`)).toEqual([`a ${word}`]);
  });
});

describe('at 80 columns nothing is broken inside a word:', () => {
  it.each(['', ...COMMANDS.map(({ name }) => name)])('help %s', async (name) => {
    const { stdout } = await ranAt(COLUMNS, mcpRecord(...(name === '' ? [] : [name]), '--help'));
    expect(stdout.length).toBeGreaterThan(100);
    expect(broken(stdout.toString())).toEqual([]);
  });

  it.each([
    ['show', ['show', everything]],
    ['show --failed', ['show', '--failed', everything]],
    ['show --stats', ['show', '--stats', everything]],
    ['show --stats of a folder', ['show', '--stats', join(everything, '..')]],
  ])('%s, whose rows are cut', async (_, args) => {
    const { stdout } = await ranAt(COLUMNS, mcpRecord(...args));
    const text = stdout.toString();
    expect(text.split('\n').length).toBeGreaterThan(3);
    expect(broken(text)).toEqual([]);
    // What a row is about can be read.
    expect(text).toContain('tools/call "get-sum"');
  });

  it.each([
    ['show --plan', ['show', '--plan', 'server', everything]],
    ['lint', ['lint', wrong]],
    ['diff', ['diff', everything, filesystem]],
    ['an error', ['show', join(everything, 'none')]],
    ['an error of usage', ['record', '-o', 'x', '--http', 'http://127.0.0.1:9', '--', 'node']],
  ])('%s, and every word is there', async (_, args) => {
    const [narrow, wide] = [await ranAt(COLUMNS, mcpRecord(...args)), await run(mcpRecord(...args))];
    const said = ({ stdout, stderr }: Ended) => `${stdout}${stderr}`;
    expect(broken(said(narrow))).toEqual([]);
    expect(wordsOf(said(narrow))).toEqual(wordsOf(said(wide)));
    expect(said(wide).length).toBeGreaterThan(COLUMNS);
  });

  it('verify of a server that has changed, and the end of a recording', async () => {
    const file = newFile();
    const request = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { password: 'hunter22-long' },
    });
    const narrow = { ...recorder(file, fixture('answers.js')), env: { COLUMNS: String(COLUMNS) } };
    const recorded = await run(narrow, `${request}\n`);
    expect(recorded.stderr).toContain('1 call, 1 value redacted');
    expect(broken(recorded.stderr)).toEqual([]);
    const other = fixture('answers.js', '5');
    const verified = await ranAt(COLUMNS, mcpRecord('verify', wrong, '--', other.command, ...other.args));
    expect(verified.stdout.toString()).toContain('+   text: xxxxx');
    expect(broken(verified.stdout.toString())).toEqual([]);
  });

  it('JSON is not touched', async () => {
    const { stdout } = await ranAt(COLUMNS, mcpRecord('diff', '--json', everything, filesystem));
    expect(stdout.toString()).toBe((await run(mcpRecord('diff', '--json', everything, filesystem))).stdout.toString());
  });
});
