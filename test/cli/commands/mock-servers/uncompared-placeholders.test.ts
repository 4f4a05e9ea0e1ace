import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UncomparedPlaceholders } from '../../../../src/cli/commands/mock-servers/uncompared-placeholders.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';

const NO_RULES = { redactKey: [], redactPointer: [], redactPattern: [], redactAllow: [] };

describe('placeholders for which values of a client were taken', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  const after = (placeholders: string[], options = {}, said: string[] = []) => {
    const uncompared = new UncomparedPlaceholders();
    uncompared.add({ placeholders });
    uncompared.add({});
    for (const text of said) uncompared.found({ kind: 'guessed', text });
    uncompared.found({ kind: 'miss', text: '[redacted:TOKEN:1]' });
    return uncompared.finding('a.yaml', { ...NO_RULES, ...options });
  };

  it('are named once, with the variables that compare them', () => {
    expect(after(['[redacted:TOKEN:1]', '[redacted:github-token:2]', '[redacted:TOKEN:1]'])).toEqual({
      kind: 'guessed',
      text: 'What the client sent for [redacted:TOKEN:1], [redacted:github-token:2] of a.yaml was not compared: any value passes. To compare it, set variables, and give --secrets-from-env TOKEN,GITHUB_TOKEN_2',
    });
    const many = Array.from({ length: 7 }, (_, n) => `[redacted:t:${n + 1}]`);
    expect(after(many)?.text).toContain('[redacted:t:5], … of a.yaml');
  });

  it('are not named without any, with rules, or if a finding names them already', () => {
    expect(after([])).toBeUndefined();
    expect(after(['[redacted:TOKEN:1]'], { redactRules: 'rules.yaml' })).toBeUndefined();
    expect(after(['[redacted:TOKEN:1]'], {}, ['fits [redacted:TOKEN:1] or [redacted:TOKEN:2]'])).toBeUndefined();
    vi.stubEnv('MCP_RECORD_REDACT_RULES', 'rules.yaml');
    expect(after(['[redacted:TOKEN:1]'])).toBeUndefined();
  });
});

describe('a client that sends another key than the recorded one', () => {
  const folder = temporaryFolder();
  const [cassette, scenario] = [join(folder, 'keyed.yaml'), join(folder, 'scenario.yaml')];
  writeFileSync(
    cassette,
    `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: swept, version: '1' } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: '1' } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/call, params: { name: weather, arguments: { api_key: '[redacted:TOKEN:1]' } } }
- server: { id: 1, result: { content: [] } }
`,
  );
  writeFileSync(scenario, 'cassette: keyed.yaml\nplay: server\nexpect: [{ exit: 0 }]\n');
  const client = fixture('sends-a-key.js', 'wrong-key-of-somebody', '{server}');
  const played = async (env: Record<string, string>, ...options: string[]) => {
    const command = mcpRecord('run', ...options, scenario, '--', client.command, ...client.args);
    const { stdout, status } = await run({ ...command, env: { ...command.env, ...env } });
    return { text: stdout.toString(), status };
  };

  it('passes a scenario with a note, and fails it if the value is given', async () => {
    const { text, status } = await played({});
    expect([text, status]).toEqual([
      expect.stringContaining('note: What the client sent for [redacted:TOKEN:1] of'),
      0,
    ]);
    const given = await played({ TOKEN: 'right-key-of-somebody' }, '--secrets-from-env', 'TOKEN');
    expect([given.text, given.status]).toEqual([expect.not.stringContaining('note: What the client'), 1]);
  });
});
