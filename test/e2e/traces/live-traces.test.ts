import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { OtlpReceiver } from '../../support/otlp-receiver.ts';
import { fixture, Running } from '../../support/process.ts';

const folder = temporaryFolder();
const newFile = freeNames(folder);

const recording = (file: string, url: string, { command, args }: Command): Command =>
  mcpRecord('record', '-o', file, '--otlp', url, '--', command, ...args);

describe('over stdio', () => {
  it('secrets leave as placeholders, and headers of the environment reach the collector alone', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    await using receiver = await OtlpReceiver.start();
    const file = newFile();
    const { command, args } = recording(file, receiver.url, fixture('answers.js'));
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=planted-key', OTEL_SERVICE_NAME: 'weather' };
    await using running = new Running({ command, args, env }).read();
    running.child.stdin.end(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${secret}"}}\n`);
    const { stderr, status } = await running.ended;
    expect(status).toBe(0);
    const [span] = receiver.spans;
    expect(span!.name).toMatch(/^tools\/call \[redacted:github-token/);
    expect(JSON.stringify(receiver.requests)).not.toContain(secret);
    expect(receiver.headers[0]).toMatchObject({ 'x-key': 'planted-key' });
    expect(stderr + readFileSync(file, 'utf8')).not.toContain('planted-key');
    expect(receiver.requests[0]!.resourceSpans[0]!.resource.attributes[0]!.value).toEqual({ stringValue: 'weather' });
  });
});

describe('the command line', () => {
  it.each([
    [['--otlp', 'node', 'server.js'], 'USAGE_BAD_OTLP_URL', 2],
    [['--otlp', '--no-redact', '--', 'node'], 'USAGE_OPTION_WITHOUT_MEANING', 2],
  ])('%j is refused', async (options, code, expected) => {
    await using running = new Running(mcpRecord('record', '-o', newFile(), ...options)).read();
    running.child.stdin.end();
    const { stderr, status } = await running.ended;
    expect([stderr, status]).toEqual([expect.stringContaining(`[${code}]`), expected]);
  });
});
