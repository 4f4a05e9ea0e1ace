import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpRecord } from '../support/command.ts';
import { run } from '../support/process.ts';

const memory = readFileSync(join(import.meta.dirname, '..', '..', 'cassettes', 'memory.yaml'), 'utf8');
const withLine = (at: number, text: string) => memory.split('\n').toSpliced(at, 0, text).join('\n');

/** What a careless hand may do to a cassette: the code it is refused with, and where. */
const files: Record<string, { content: string | Uint8Array; code: string; says: string }> = {
  'empty.yaml': { content: '', code: 'CASSETTE_EMPTY', says: 'the file is empty' },
  'other.yaml': { content: 'a: 1\n', code: 'CASSETTE_NOT_RECOGNIZED', says: 'other.yaml:1:1' },
  'newer.yaml': {
    content: memory.replaceAll('mcp-record/1', 'mcp-record/9'),
    code: 'CASSETTE_NEWER_FORMAT',
    says: 'Upgrade mcp-record',
  },
  'damaged.yaml': {
    content: withLine(29, '   bad: : : ['),
    code: 'CASSETTE_DAMAGED',
    says: 'damaged.yaml:29',
  },
  'binary.yaml': {
    content: new Uint8Array([0xff, 0xd8, 0x00]),
    code: 'CASSETTE_NOT_RECOGNIZED',
    says: 'it is not text',
  },
  'conflict.yaml': {
    content: withLine(29, '<<<<<<< HEAD'),
    code: 'CASSETTE_MERGE_CONFLICT',
    says: 'conflict.yaml:30:1',
  },
  'odd.yaml': {
    content: withLine(6, '- cleint: {}'),
    code: 'CASSETTE_BAD_EVENT',
    says: 'Did you mean "client"?',
  },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-bad-'));
  mkdirSync(join(folder, 'folder.yaml'));
  for (const [name, { content }] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command; says its status and standard error, and holds it to what every error owes the reader. */
async function refused(...args: string[]): Promise<string> {
  const before = readdirSync(folder);
  const { stdout, stderr, status } = await run(mcpRecord(...args));
  expect(status).toBe(2);
  expect(stdout.length).toBe(0);
  expect(stderr).toMatch(/\[[A-Z_]+\]/);
  expect(stderr).not.toMatch(/\n\s+at .*\.js/);
  expect(readdirSync(folder)).toEqual(before);
  return stderr;
}

describe.each(['replay', 'show'])('%s', (command) => {
  const cases = Object.entries(files).filter(([name]) => command === 'replay' || name !== 'http.yaml');
  it.each(cases)(
    'refuses %s with a code, the cause and the next step, and leaves it alone',
    async (name, { content, code, says }) => {
      const stderr = await refused(command, join(folder, name));
      expect(stderr).toContain(`[${code}]`);
      expect(stderr).toContain(says);
      expect(readFileSync(join(folder, name)).equals(Buffer.from(content as string))).toBe(true);
    },
  );

  it('refuses a file that is not there, and a directory', async () => {
    expect(await refused(command, join(folder, 'none.yaml'))).toContain('[CASSETTE_NOT_FOUND]');
    expect(await refused(command, join(folder, 'folder.yaml'))).toContain('[CASSETTE_IS_DIRECTORY]');
  });
});

describe('a torn cassette', () => {
  it('is shown and replayed up to where it was torn, and that is said', async () => {
    const file = join(folder, 'torn.yaml');
    writeFileSync(file, memory.slice(0, 3_000));
    for (const command of ['show', 'replay']) {
      const { stderr, status } = await run(mcpRecord(command, file));
      expect(stderr).toMatch(/torn\.yaml:\d+: the recording was cut short here/);
      expect(status).toBe(0);
    }
    rmSync(file);
  });
});

describe('wrong usage', () => {
  it.each([
    [['frobnicate'], 'USAGE_UNKNOWN_COMMAND', 'mcp-record --help'],
    [['recrod'], 'USAGE_UNKNOWN_COMMAND', 'Did you mean record?'],
    [[], 'USAGE_HELP', 'no verb was given'],
    [['replay', '--tming', 'x', 'a.yaml'], 'USAGE_UNKNOWN_OPTION', 'Did you mean --timing?'],
    [['diff', '--redact-rules', 'r.yaml', 'a.yaml', 'b.yaml'], 'USAGE_UNKNOWN_OPTION', 'Redact the cassette first'],
    [['record', '--force', '-o', 'x.yaml', '--', 'node'], 'USAGE_UNKNOWN_OPTION', "'--force'"],
    [['record', '--redact-keys', 'x', '-o', 'x.yaml', '--', 'node'], 'USAGE_UNKNOWN_OPTION', 'mean --redact-key?'],
    [['redact', '--lists', 'a.yaml'], 'USAGE_UNKNOWN_OPTION', '--lists is an option of record'],
    [['record', '--', 'node', '--force'], 'USAGE_MISSING_MANDATORY_OPTION_VALUE', '--output'],
    [['mock', '--fault', 'cut', 'a.yaml'], 'USAGE_UNKNOWN_OPTION', '--fault is an option of record, replay,'],
    [['mock', '--fault', 'cut', 'a.yaml'], 'USAGE_UNKNOWN_OPTION', 'PUT /faults'],
    [['replay'], 'USAGE_MISSING_ARGUMENT', "missing required argument 'file'"],
    [['replay', '--timing', 'slow', join('cassettes', 'memory.yaml')], 'USAGE_BAD_TIMING', '0.5x'],
    [['record', '-o', 'x.yaml'], 'USAGE_ONE_SERVER', 'neither a command nor --http'],
    [['record', '--', 'node'], 'USAGE_MISSING_MANDATORY_OPTION_VALUE', '--output'],
    [['record', '-o', 'x.yaml', '--timing', 'slow', '--', 'node'], 'USAGE_BAD_TIMING', 'coarse'],
    [['show', '--plan', 'both', join('cassettes', 'memory.yaml')], 'USAGE_BAD_SIDE', '--plan server'],
  ])('%j is refused as %s', async (args, code, says) => {
    const stderr = await refused(...args);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(says);
  });
});
