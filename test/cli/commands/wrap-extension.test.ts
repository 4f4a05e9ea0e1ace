import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { getMcpConfigForManifest } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord, program } from '../../support/command.ts';
import { itOnPosix } from '../../support/on-posix.ts';
import { run } from '../../support/process.ts';
import { EXTENSION_MANIFESTS } from '../wrap/configurations/extension-manifests.ts';

const folder = temporaryFolder();
let names = 0;
const newName = () => join(folder, `extension-${names++}`);
const files = program('@modelcontextprotocol/server-filesystem', 'dist/index.js').args[0]!;
const cli = join(import.meta.dirname, '../../../node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');

/** Runs the program that packs extensions. */
async function mcpb(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run({ command: process.execPath, args: [cli, ...args] });
  expect([status, stderr]).toEqual([0, expect.anything()]);
  return stdout.toString();
}
const wrap = (...words: string[]) => run({ ...mcpRecord('wrap', ...words), cwd: folder });

/** Packs an extension with this manifest. Its program is the filesystem server. */
async function pack(manifest: string): Promise<string> {
  const extension = newName();
  const { entry_point: entry } = (JSON.parse(manifest) as { server: { entry_point: string } }).server;
  mkdirSync(join(extension, dirname(entry)), { recursive: true });
  writeFileSync(join(extension, 'manifest.json'), manifest);
  writeFileSync(join(extension, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(extension, entry), `await import(${JSON.stringify(files)});\n`);
  const packed = `${extension}.mcpb`;
  await mcpb('pack', extension, packed);
  return packed;
}

async function unpack(packed: string): Promise<string> {
  const extension = newName();
  await mcpb('unpack', packed, extension);
  return join(extension, 'manifest.json');
}

describe('mcp-record wrap of an extension that its own program has packed and unpacked', () => {
  it.each(Object.entries(EXTENSION_MANIFESTS))(
    'of %s stays valid, and is the same again after --undo',
    async (_, text) => {
      const manifest = await unpack(await pack(text));
      expect(readFileSync(manifest, 'utf8')).toBe(text);
      const { status, stdout } = await wrap(manifest, '-o', 'cassettes');
      expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('is recorded over stdio')]);
      expect(readFileSync(manifest, 'utf8')).toContain('mcp-record');
      expect(await mcpb('validate', manifest)).toContain('passes');
      expect((await wrap(manifest, '--undo')).status).toBe(0);
      expect(readFileSync(manifest, 'utf8')).toBe(text);
    },
  );

  it('records what its host starts, with the values that the host fills in', async () => {
    const text = EXTENSION_MANIFESTS['a bundled server for Node']!;
    const manifest = await unpack(await pack(text));
    const cassettes = newName();
    await wrap(manifest, '-o', cassettes, '--local');
    const [one, other] = [newName(), newName()];
    for (const name of [one, other]) mkdirSync(name);
    const launch = await getMcpConfigForManifest({
      manifest: JSON.parse(readFileSync(manifest, 'utf8')),
      extensionPath: dirname(manifest),
      systemDirs: { HOME: homedir() },
      userConfig: { folders: [one, other], api_key: 's3cret-key-of-ann' },
      pathSeparator: sep,
    });
    const client = new Client({ name: 'host', version: '1.0.0' });
    const { command, args, env } = launch as { command: string; args: string[]; env: Record<string, string> };
    await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
    const { content } = await client.callTool({ name: 'list_allowed_directories', arguments: {} });
    await client.close();
    expect(JSON.stringify(content)).toContain(JSON.stringify(other).slice(1, -1));
    const [file] = readdirSync(join(cassettes, 'notes'));
    const { end, events } = loadCassette(join(cassettes, 'notes', file!));
    expect(end).toBe('complete');
    expect(JSON.stringify(events)).toContain('list_allowed_directories');
  });
});

describe('a packed extension is refused,', () => {
  it('with the command that unpacks it', async () => {
    const packed = await pack(EXTENSION_MANIFESTS['a bundled server for Node']!);
    const before = readFileSync(packed);
    for (const options of [[], ['--undo'], ['--dry-run']]) {
      const { status, stderr, stdout } = await wrap(packed, ...options);
      expect([status, stdout.toString()]).toEqual([2, '']);
      expect(stderr).toContain(
        `Cannot change ${packed}: it is a packed extension, a ZIP file. [WRAP_PACKED_EXTENSION]`,
      );
      expect(stderr.replaceAll(/\n {2}/g, ' ')).toContain(`npx -y @anthropic-ai/mcpb unpack ${packed} FOLDER`);
      expect(readFileSync(packed)).toEqual(before);
    }
  });

  itOnPosix('openssl', 'and what becomes of its signature is said', async () => {
    const packed = await pack(EXTENSION_MANIFESTS['a binary without args']!);
    const [key, certificate] = [newName(), newName()];
    const subject = ['-subj', '/CN=test', '-days', '2', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' });
    await mcpb('sign', packed, '--cert', certificate, '--key', key);
    const { status, stderr } = await wrap(packed);
    expect([status, stderr]).toEqual([2, expect.stringContaining('with a signature that a change would break')]);
  });
});
