import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';

const folder = temporaryFolder();
const written = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const OPEN = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: weather-app, version: 1.0.0 } } }
- server: { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: weather, version: 1.0.0 } } }
- client: { method: notifications/initialized }
`;
const asked = (id: number, city: string) =>
  `- client: { id: ${id}, method: tools/call, params: { name: weather, arguments: { city: ${city} } } }\n`;
const told = (id: number, text: string) =>
  `- server: { id: ${id}, result: { content: [{ type: text, text: '${text}' }] } }\n`;
const saved = (first: string) =>
  `- client: { id: 3, method: tools/call, params: { name: save, arguments: { first: '${first}' } } }\n${told(3, 'saved')}`;

const AT_ONCE = written('at-once.yaml', OPEN + asked(1, 'Oslo') + asked(2, 'Rome') + told(1, 'fog') + told(2, 'sun'));
const IN_TURN = written('in-turn.yaml', OPEN + asked(1, 'Oslo') + told(1, 'fog') + asked(2, 'Rome') + told(2, 'sun'));
const REDACTED = written(
  'redacted.yaml',
  OPEN + asked(1, 'Oslo') + asked(2, 'Rome') + told(1, 'Oslo: fog') + told(2, 'sun') + saved('[redacted:first:1]'),
);
const rules = written('redaction.yaml', 'redact:\n  - key: first\n');

const ADDRESS = { stdio: ['{server}'], http: ['{url}'] } as const;

describe.each(['stdio', 'http'] as const)('a client over %s that fails in the first run', (transport) => {
  const http = transport === 'http' ? ['--http'] : [];
  const sweep = (file: string, command: readonly string[], env = {}) =>
    run({ ...mcpRecord('sweep', ...http, '--point', 'duplicate@2', file, '--', ...command), env });

  it('is told of other orders if its requests were open at once', async () => {
    const { stderr, status } = await sweep(AT_ONCE, ['false']);
    expect([stderr, status]).toEqual([expect.stringContaining('mcp-record sweep --orders 100 FILE'), 2]);
    expect((await sweep(IN_TURN, ['false'])).stderr).not.toContain('--orders');
  });

  it('because of a redacted cassette is told of the variable that helps', async () => {
    const { command, args } = fixture('saves-a-report.js', 'sound', ...ADDRESS[transport]);
    const refused = await sweep(REDACTED, [command, ...args]);
    expect([refused.stderr, refused.status]).toEqual([expect.stringContaining('variable MCP_RECORD_REDACT_RULES'), 2]);
    const { stdout, status } = await sweep(REDACTED, [command, ...args], { MCP_RECORD_REDACT_RULES: rules });
    expect([stdout.toString(), status]).toEqual([expect.stringContaining('1 good'), 0]);
    expect(readFileSync(REDACTED, 'utf8')).toContain('[redacted:first:1]');
  });
});
