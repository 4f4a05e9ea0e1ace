import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { clientSays, recorderIn } from './client-of-sdk.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);
const rules = join(folder, 'redaction.yaml');
writeFileSync(rules, 'redact:\n- pattern: CUST-[\\d-]+\n  name: customer\n');

const recorded = recorderIn(folder);

describe('a recorder that a client of the SDK starts', () => {
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

  it('names no rules where they cannot help: a call more than recorded, with a placeholder as recorded', async () => {
    const file = newFile();
    await clientSays({ command: recorded(file, '--redact-rules', rules) });
    const twice = { command: mcpRecord('replay', file), customer: '[redacted:customer:1]', calls: 2 };
    const said = await clientSays(twice);
    expect(said).toContain('every matching recorded call was already used');
    expect(said).not.toContain('If your shell exports');
  });
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
