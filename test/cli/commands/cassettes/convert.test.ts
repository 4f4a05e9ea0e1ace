import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { OtlpReceiver } from '../../../support/otlp-receiver.ts';

const folder = temporaryFolder();
const fixtures = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'convert');

function run(...args: string[]) {
  const { command, args: all } = mcpRecord(...args);
  return spawnSync(command, all, { cwd: folder, encoding: 'utf8', input: '' });
}

describe('mcp-record convert', () => {
  it('makes a cassette, and says what is lost', () => {
    const { stderr, stdout, status } = run('convert', join(fixtures, 'mcp-vcr.yaml'), 'vcr.yaml');
    expect([stderr, stdout, status]).toEqual(['mcp-record: lost: The command of the server.\n', '', 0]);
    expect(run('show', 'vcr.yaml').stdout).toContain('tools/call "add"');
  });

  itOnPosix('file modes', 'makes a cassette that only its owner may read', () => {
    run('convert', join(fixtures, 'mcp-vcr.yaml'), 'owned.yaml');
    expect(statSync(join(folder, 'owned.yaml')).mode & 0o777).toBe(0o600);
  });

  it('writes over no file', () => {
    writeFileSync(join(folder, 'there.yaml'), 'mine');
    const { stderr, status } = run('convert', join(fixtures, 'mcp-vcr.yaml'), 'there.yaml');
    expect(stderr).toContain('[CONVERT_NOT_WRITTEN]');
    expect([readFileSync(join(folder, 'there.yaml'), 'utf8'), status]).toEqual(['mine', 2]);
  });

  it('keeps no secret, unless told to', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'x', arguments: { token: secret } },
    };
    writeFileSync(join(folder, 'in.ndjson'), `${JSON.stringify(message)}\n`);
    expect(run('convert', 'in.ndjson', '-', '--to', 'cassette').stdout).not.toContain(secret);
    expect(run('convert', 'in.ndjson', '-', '--to', 'cassette', '--no-redact').stdout).toContain(secret);
    expect(run('convert', 'in.ndjson', '-', '--to', 'har').stdout).not.toContain(secret);
  });

  it('warns of a match of a rule that must stay', () => {
    const ping = { jsonrpc: '2.0', id: 'E-1234567', method: 'ping' };
    writeFileSync(join(folder, 'ids.ndjson'), `${JSON.stringify(ping)}\n`);
    const { stderr } = run('convert', 'ids.ndjson', 'ids.yaml', '--redact-pattern', 'E-\\d+');
    expect(stderr).toMatch(/"pattern" matches \/id.*\[SECRETS_NOT_REDACTED\]\n {2}at ids.yaml:\d+\n/);
    expect(readFileSync(join(folder, 'ids.yaml'), 'utf8')).toContain('E-1234567');
  });

  it('says that a file cannot be read', () => {
    const { stderr, status } = run('convert', 'none.har', 'out.yaml');
    expect(stderr).toContain('[CONVERT_UNREADABLE]');
    expect(status).toBe(2);
  });

  it('says that a file is UTF-16, as shells of Windows write it', () => {
    const file = join(folder, 'utf-16.log');
    writeFileSync(file, Buffer.from('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}\n', 'utf16le'));
    const { stderr, status } = run('convert', '--from', 'ndjson', file, 'out.yaml');
    expect(stderr).toContain('it is no text in UTF-8, but perhaps one in UTF-16. [CONVERT_UNREADABLE]');
    expect(status).toBe(2);
  });

  it('makes a trace that a receiver of OpenTelemetry takes, without arguments', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'a\u202eb', arguments: { x: 'said' } },
    };
    const answer = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool' } };
    writeFileSync(join(folder, 'calls.ndjson'), `${JSON.stringify(call)}\n${JSON.stringify(answer)}\n`);
    const { stderr, status } = run('convert', 'calls.ndjson', 'trace.json', '--to', 'otlp');
    expect([stderr, status]).toEqual(['', 0]);
    const body = readFileSync(join(folder, 'trace.json'), 'utf8');
    expect(body).not.toMatch(/said|\u202e/);
    await using receiver = await OtlpReceiver.start();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${receiver.url}/v1/traces`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    expect(receiver.spans.map(({ name, status }) => [name, status.message])).toEqual([
      ['tools/call a\u202eb', 'Unknown tool'],
      ['MCP session', undefined],
    ]);
  });
});
