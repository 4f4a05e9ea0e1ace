import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { openLiveEndpoint } from '../../../src/adapters/endpoint/forward-or-record-endpoint.ts';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { recordSession } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const tape = join(folder, 'cassette.yaml');
beforeAll(() => recordSession(tape));

it('does not blame a server of which no client has asked anything', () => {
  const cassette = join(folder, 'silent.yaml');
  const endpoint = openLiveEndpoint({ url: 'http://127.0.0.1:1/mcp', cassette, mode: 'record', send: fetch });
  const text = `No client has sent a request to http://127.0.0.1:1/mcp, so that ${cassette} was not recorded.`;
  expect(endpoint.finish()).toMatchObject({ failed: true, findings: [{ kind: 'unconnected', text }] });
});

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Sends `initialize` to the endpoint, and returns the status of the answer. */
async function initialize(endpoint: { fetch(request: Request): Promise<Response> }, url: string): Promise<number> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const response = await endpoint.fetch(new Request(url, { method: 'POST', headers, body }));
  await response.text();
  return response.status;
}

it('redacts by the rules of the project', async () => {
  await using mock = await mockServer(tape, { over: 'http', onUnused: 'report', onDifference: 'report' });
  const rules = join(folder, 'redaction.yaml');
  writeFileSync(rules, 'redact:\n- { pattern: drifts, name: company }\n');
  vi.stubEnv('MCP_RECORD_REDACT_RULES', rules);
  onTestFinished(() => void vi.unstubAllEnvs());
  const cassette = join(folder, 'ruled.yaml');
  const endpoint = openLiveEndpoint({ url: mock.url, cassette, mode: 'record', send: fetch });
  await initialize(endpoint, mock.url);
  expect(endpoint.finish()).toMatchObject({ written: cassette, failed: false });
  expect(readFileSync(cassette, 'utf8')).toContain('name: "[redacted:company:1]"');
});

it('keeps the rules of the cassette that it records again, and names those of a session that is gone', async () => {
  await using mock = await mockServer(tape, { over: 'http', onUnused: 'report', onDifference: 'report' });
  const cassette = join(folder, 'again.yaml');
  const record = async (sessions: number) => {
    const endpoint = openLiveEndpoint({ url: mock.url, cassette, mode: 'record', send: fetch });
    for (let n = 0; n < sessions; n++) await initialize(endpoint, mock.url);
    return endpoint.finish();
  };
  expect(await record(2)).toMatchObject({ failed: false, written: cassette });
  const rule = '  match: { ignore: [/params/capabilities] }\n';
  for (const file of [cassette, join(folder, 'again.2.yaml')]) {
    const text = readFileSync(file, 'utf8').replace(/(- client:\n(?: {2}.*\n)+)/, `$1${rule}`);
    expect(text).toContain(rule);
    writeFileSync(file, text);
  }
  const { notes = [] } = await record(1);
  expect(readFileSync(cassette, 'utf8')).toContain(rule);
  const lost = /again\.2\.yaml was recorded again, without this rule [\s\S]* \(this session was not recorded again\)/;
  expect(notes.filter((note) => note.includes('recorded again'))).toEqual([expect.stringMatching(lost)]);
});

it('goes on recording after a reset, adds to its cassette, and refuses between', async () => {
  await using mock = await mockServer(tape, { over: 'http', onUnused: 'report', onDifference: 'report' });
  const { url } = mock;
  const cassette = join(folder, 'new.yaml');
  const endpoint = openLiveEndpoint({ url, cassette, mode: 'record', send: fetch });
  const ask = () => initialize(endpoint, url);
  expect(await ask()).toBe(200);
  endpoint.reset();
  expect([endpoint.hasEnded, endpoint.received()]).toEqual([false, []]);
  expect(await ask()).toBe(200);
  expect(endpoint.finish()).toMatchObject({ written: cassette, failed: false });
  expect(await ask()).toBe(410);
  expect(endpoint.finish()).toMatchObject({ findings: [{ kind: 'ended' }], failed: true });
  endpoint.reset();
  expect(await ask()).toBe(200);
  expect(endpoint.journal.requests('initialize')).toMatchObject([{ session: 1, headers: { accept: headers.accept } }]);
  expect(endpoint.finish()).toMatchObject({ findings: [], failed: false, written: cassette });
  const files = ['new.yaml', 'new.2.yaml', 'new.3.yaml', 'new.4.yaml'];
  expect(files.map((name) => existsSync(join(folder, name)))).toEqual([true, true, true, false]);
});
