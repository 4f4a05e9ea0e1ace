import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { DEFAULT_INHERITED_ENV_VARS, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { hasClientVariablesOnly } from '../../../src/cli/io/client-environment.ts';
import { headersFrom } from '../../../src/cli/options/header-options.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const rules = join(folder, 'redaction.yaml');
writeFileSync(rules, 'redact:\n- pattern: CUST-[\\d-]+\n  name: customer\n');

/** A server whose tool answers with its argument. */
const server = join(folder, 'server.mjs');
writeFileSync(
  server,
  `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const opened = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'crm', version: '1' } };
  const result = method === 'initialize' ? opened : { content: [{ type: 'text', text: 'of ' + params?.arguments?.customer }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`,
);

interface Session {
  command: Command;
  /** What the user passes on. */
  env?: Record<string, string>;
  customer?: string;
}

/** Runs a client of the official SDK in this process, which has a large environment. Returns what its server said on standard error. */
async function clientSays({ command, env = {}, customer = 'CUST-2024-118833' }: Session): Promise<string> {
  const transport = new StdioClientTransport({ ...command, env, stderr: 'pipe' });
  const stderr = text(transport.stderr as Readable);
  const client = new Client({ name: 'app', version: '1' });
  try {
    await client.connect(transport);
    await client.callTool({ name: 'find', arguments: { customer } });
  } catch {
    // The messages on standard error are what the tests look at.
  }
  await client.close();
  return await stderr;
}

const recorded = (file: string, ...options: string[]) =>
  mcpRecord('record', ...options, '-o', file, '--', process.execPath, server);

describe('the environment of a process', () => {
  const posix = { HOME: '/u', PATH: '/bin', TERM: 'xterm', USER: 'ada' };
  const windows = { Path: 'C:\\', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\P' };

  it.each([
    [posix, 'linux', true],
    [{ ...posix, npm_config_yes: '', PWD: '/', _: '/bin/sh', INIT_CWD: '/' }, 'darwin', true],
    [{ ...posix, API_TOKEN: 'x' }, 'linux', false],
    [{ ...posix, MCP_RECORD_REDACT_RULES: 'x' }, 'linux', false],
    [windows, 'win32', true],
    [windows, 'linux', false],
    [{ ...windows, ComputerName: 'x' }, 'win32', false],
  ] as const)('%j on %s is what a client passes on: %s', (env, platform, expected) => {
    expect(hasClientVariablesOnly({ env, platform })).toBe(expected);
  });

  it('counts all that the official SDK passes on', () => {
    const env = Object.fromEntries(DEFAULT_INHERITED_ENV_VARS.map((name) => [name, 'x']));
    expect(hasClientVariablesOnly({ env, platform: process.platform })).toBe(true);
  });
});

describe('a recorder that a client of the SDK starts', () => {
  const note =
    /note: the client passes on PATH, HOME and the like alone, .*redact --check (.+\.yaml)\. .*--redact-rules FILE/;

  it('says that it redacted nothing, and that exported rules did not reach it', async () => {
    const file = newFile();
    const said = await clientSays({ command: recorded(file) });
    expect(readFileSync(file, 'utf8')).toContain('CUST-2024-118833');
    expect(said).toContain(`mcp-record: nothing redacted → ${file}\n`);
    expect(note.exec(said)?.[1]).toBe(file);
  });

  it('says nothing of that if its client passed the rules on, or the command has them', async () => {
    const file = newFile();
    const passed = { MCP_RECORD_REDACT_RULES: rules };
    for (const said of [
      await clientSays({ command: recorded(file), env: passed }),
      await clientSays({ command: recorded(newFile(), '--redact-rules', rules) }),
    ]) {
      expect(said).toMatch(/1 call, 1 value redacted/);
      expect(said).not.toContain('note:');
    }
    expect(readFileSync(file, 'utf8')).not.toContain('CUST-2024');
  });

  it('says nothing of that with --no-redact', async () => {
    expect(await clientSays({ command: recorded(newFile(), '--no-redact') })).not.toContain('note:');
  });
});

describe('a mock server that a client of the SDK starts', () => {
  it('says why it does not know a variable that is exported, or rules', async () => {
    const file = newFile();
    await clientSays({ command: recorded(file, '--redact-rules', rules) });
    const unset = await clientSays({ command: mcpRecord('replay', '--secrets-from-env', 'customer', file) });
    expect(unset).toMatch(
      /SECRETS_MISSING\].* what your shell exports, .*env: \{ customer: process\.env\.customer \}/s,
    );
    const missed = await clientSays({ command: mcpRecord('replay', file) });
    expect(missed).toMatch(
      /no recorded call matches.* --ignore \/\S+\n {2}The client that started .*If your shell exports MCP_RECORD_REDACT_RULES, add --redact-rules FILE/s,
    );
    const passed = await clientSays({ command: mcpRecord('replay', file), env: { ANY: 'x' } });
    expect(passed).not.toContain('If your shell exports');
  });
});

it('a header of a variable that the client did not pass on has the same advice', () => {
  const header = ['X: env:NOBODY'];
  expect(() => headersFrom(header, { PATH: '/bin' })).toThrow(/is not set.*env: \{ NOBODY: process\.env\.NOBODY \}/s);
  expect(() => headersFrom(header, { PATH: '/bin', OTHER: 'x' })).not.toThrow(/your shell exports/);
});

describe('a client of the SDK that run or sweep starts', () => {
  const client = join(folder, 'client.mjs');
  writeFileSync(
    client,
    `import { Client } from '${import.meta.resolve('@modelcontextprotocol/sdk/client/index.js')}';
import { StdioClientTransport } from '${import.meta.resolve('@modelcontextprotocol/sdk/client/stdio.js')}';
const [, , command, ...args] = process.argv;
const client = new Client({ name: 'app', version: '1' });
await client.connect(new StdioClientTransport({ command, args }));
const { content } = await client.callTool({ name: 'find', arguments: { customer: process.env.customer } });
if (process.env.EXPECTED && content[0].text !== process.env.EXPECTED) process.exitCode = 5;
await client.close();
`,
  );
  const tested = ['--', process.execPath, client, '{server}'];
  const environment = { customer: 'CUST-2024-118833', MCP_RECORD_REDACT_RULES: rules };
  const cassette = newFile();
  const scenario = join(folder, 'scenario.yaml');
  const expected = '{ call: tools/call, ends: succeeds }';
  writeFileSync(
    scenario,
    `cassette: ${JSON.stringify(cassette)}\nplay: server\nexpect:\n- ${expected}\n- { exit: 0 }\n`,
  );

  it('is played by the rules that are exported, and with the secrets of --secrets-from-env', async () => {
    await clientSays({ command: recorded(cassette, '--redact-rules', rules) });
    const byRules = await run({ ...mcpRecord('run', scenario, ...tested), env: environment });
    expect([`${byRules.stdout}`, byRules.status]).toEqual([expect.stringContaining('2 passed'), 0]);
    const withSecret = await run({
      ...mcpRecord('run', '--secrets-from-env', 'customer', scenario, ...tested),
      env: { ...environment, EXPECTED: 'of CUST-2024-118833' },
    });
    expect([`${withSecret.stdout}${withSecret.stderr}`, withSecret.status]).toEqual([
      expect.stringContaining('2 passed'),
      0,
    ]);
  });

  it('is swept by the rules that are exported', async () => {
    const point = mcpRecord('sweep', '--faults', 'latency', cassette, ...tested);
    const { stdout, stderr, status } = await run({ ...point, env: environment });
    expect([`${stdout}${stderr}`, status]).toEqual([expect.not.stringContaining('no recorded call'), 0]);
  });
});
