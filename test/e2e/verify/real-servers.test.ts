import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, everything, mcpRecord, program, recorded } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { connectSdk1 } from '../session/sdk-1.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const cassette = (name: string) => join(root, 'cassettes', `${name}.yaml`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-real-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function verify(file: string, { command, args }: Command, ...options: string[]) {
  const { stdout, status } = await run(mcpRecord('verify', ...options, file, '--', command, ...args));
  return { text: stdout.toString(), status };
}

let memories = 0;

/** Its memory is a file, which it finds by its environment: a new one each time. */
function remembering({ command, args }: Command): Command {
  const file = join(folder, `memory-${memories++}.jsonl`);
  return { command: 'env', args: [`MEMORY_FILE_PATH=${file}`, command, ...args] };
}

/** `VERIFY_ROUNDS=20 npx vitest run test/e2e/verify/real-servers` verifies each so often. */
const repeats = Number(process.env.VERIFY_ROUNDS ?? 1) - 1;

describe('an unchanged real server passes', { repeats }, () => {
  it('server-everything: all it has, but for the time of day that its resources carry', async () => {
    const { text, status } = await verify(cassette('everything'), everything, '--ignore', '/result/contents/*/text');
    expect([status, text]).toEqual([0, expect.stringMatching(/\n\d+ passed in [\d.]+ s\n$/)]);
  });

  it('server-memory', async () => {
    const memory = program('@modelcontextprotocol/server-memory', 'dist/index.js');
    const { text, status } = await verify(cassette('memory'), remembering(memory));
    expect([status, text]).toEqual([0, expect.stringMatching(/\n\d+ passed in [\d.]+ s\n$/)]);
  });

  it('server-filesystem, recorded and verified in a folder that is empty each time', async () => {
    const files = join(folder, 'files');
    const empty = () => {
      rmSync(files, { recursive: true, force: true });
      mkdirSync(files);
    };
    const server = program('@modelcontextprotocol/server-filesystem', 'dist/index.js', files);
    const file = join(folder, 'filesystem.yaml');
    const path = join(files, 'note.txt');
    empty();
    const peer = await connectSdk1(recorded(file, server), {
      roots: [{ uri: `file://${files}`, name: 'files' }],
    });
    const call = (name: string, args: object) => peer.request('tools/call', { name, arguments: args });
    await call('write_file', { path, content: 'one\ntwo\n' });
    await call('edit_file', { path, edits: [{ oldText: 'two', newText: 'three' }] });
    await call('read_text_file', { path });
    await call('list_directory', { path: files });
    await peer.close();
    empty();
    const { text, status } = await verify(file, server);
    expect([status, text]).toEqual([0, expect.stringMatching(/\n\d+ passed in [\d.]+ s\n$/)]);
  });
});

describe('a copy of a real server that was changed', () => {
  /** A copy of server-memory with `from` replaced by `to` in its code. */
  function changed(name: string, from: string, to: string): Command {
    const original = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json');
    const copy = join(folder, name);
    cpSync(dirname(original), copy, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const code = join(copy, 'dist', 'index.js');
    const text = readFileSync(code, 'utf8');
    expect(text).toContain(from);
    writeFileSync(code, text.replace(from, to));
    return remembering({ command: process.execPath, args: [code] });
  }

  it.each([
    [
      'a tool by another name',
      'registerTool("read_graph"',
      'registerTool("read_all"',
      '✗ tools/list: breaking: tool "read_graph" was renamed to "read_all"',
    ],
    [
      'an argument more',
      'query: z.string()',
      'limit: z.number(), query: z.string()',
      '✗ tools/list: breaking: tool "search_nodes": new required argument "limit"',
    ],
    [
      'an answer in other words',
      'Entities deleted successfully',
      'Deleted',
      '✗ tools/call "delete_entities": /result/content/0/text ("Entities deleted successfully" → "Deleted")',
    ],
  ])('is found out: %s', async (what, from, to, says) => {
    const { text, status } = await verify(cassette('memory'), changed(what.replaceAll(' ', '-'), from, to));
    expect(text.split('\n').slice(0, 10).join('\n')).toContain(says);
    expect(status).toBe(1);
  });
});
