import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord, program } from '../../support/command.ts';

const folder = temporaryFolder();
const project = join(folder, 'project');
const home = join(folder, 'home');
mkdirSync(project);

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function wrap(...words: string[]) {
  const { command, args } = mcpRecord('wrap', ...words);
  const { CODEX_HOME, COPILOT_HOME, CLAUDE_CONFIG_DIR, XDG_CONFIG_HOME, ...env } = process.env;
  return spawnSync(command, args, { cwd: project, encoding: 'utf8', env: { ...env, HOME: home, USERPROFILE: home } });
}

describe('mcp-record wrap --client', () => {
  const { command, args } = program('@modelcontextprotocol/server-memory', 'dist/index.js');
  const text = `# of the user
model = "x"

[mcp_servers.memory] # one server
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)} # none of ours
`;

  it('finds the configuration, lets the client record, and is out again without a trace', async () => {
    const file = put(join(home, '.codex', 'config.toml'), text);
    const { stdout } = wrap('--client', 'codex', '-o', 'cassettes', '--local');
    expect(stdout).toContain(`${file} (user configuration of codex)\n\nmemory is recorded over stdio`);
    const { mcp_servers: servers } = getStaticTOMLValue(parseTOML(readFileSync(file, 'utf8'))) as never as {
      mcp_servers: { memory: { command: string; args: string[] } };
    };
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport(servers.memory));
    await client.listTools();
    await client.close();
    const cassettes = join(project, 'cassettes', 'memory');
    expect(loadCassette(join(cassettes, readdirSync(cassettes)[0]!)).end).toBe('complete');

    expect(wrap('--client', 'codex').stdout).toContain('memory is recorded already');
    expect(wrap('--client', 'codex', '--undo').status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('takes the configuration of the project, and names the other', () => {
    const user = put(join(home, '.cursor', 'mcp.json'), '{ "mcpServers": { "far": { "command": "far" } } }');
    put(join(project, '.cursor', 'mcp.json'), '{ "mcpServers": { "near": { "command": "near" } } }');
    const { stdout } = wrap('--client', 'cursor');
    expect(stdout).toContain('.cursor/mcp.json (project configuration of cursor)');
    expect(stdout).toContain(`${user} (user) is left as it is. To change it, name it in place of --client.`);
    expect([readFileSync(user, 'utf8').includes('mcp-record'), stdout.includes('near is recorded')]).toEqual([
      false,
      true,
    ]);
    expect(wrap(user).stdout).toContain('far is recorded over stdio');
  });

  it('shows no header, however it is spelled, where nothing is written', () => {
    const toml = put(
      join(project, 'h.toml'),
      '[mcp_servers.a]\nurl = "https://a.example"\nhttp_headers = { X = "t\\u0030p-5ecret" }\n',
    );
    const yaml = put(
      join(project, 'h.yaml'),
      "servers:\n  a:\n    url: https://a.example\n    headers: { X: 'it''s 5ecret' }\n",
    );
    for (const file of [toml, yaml]) {
      expect(wrap(file, '--dry-run').stdout).toContain('MCP_RECORD_HEADER_1');
      expect(wrap(file, '--dry-run').stdout).not.toContain('5ecret');
      wrap(file);
      expect(wrap(file, '--undo', '--dry-run').stdout).not.toContain('5ecret');
    }
  });

  it.each([
    ['WRAP_UNKNOWN_CLIENT', 'Did you mean --client zed?', '--client', 'zet'],
    ['WRAP_NO_CONFIGURATION', '.zed/settings.json (project)', '--client', 'zed'],
    ['WRAP_NO_SUCH_SERVER', 'Did you mean "near"?', '--client', 'cursor', '--server', 'neer'],
    ['USAGE_ONE_CONFIGURATION', 'neither a file nor --client'],
    ['USAGE_ONE_CONFIGURATION', 'both a file and --client', 'mcp.json', '--client', 'zed'],
  ])('%s: %s', (code, says, ...words) => {
    const { stderr, status } = wrap(...words);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(says);
    expect(status).toBe(2);
  });
});
