import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LoadPageData } from '../../src/html-report/data/load/load-page-data.ts';
import type { LoadJson } from '../../src/load/load-report.ts';
import { serve } from '../e2e/http/processes.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord, program } from '../support/command.ts';
import { fixture, run } from '../support/process.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'weather.yaml');
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
const result = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'ends', version: '1' },
};
const events = [
  { client: { jsonrpc: '2.0', id: 0, method: 'initialize', params } },
  { server: { jsonrpc: '2.0', id: 0, result } },
  { client: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  { client: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'weather', arguments: { city: 'Oslo' } } } },
  { server: { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'here' } } },
  { server: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Oslo: sunny' }] } } },
];
writeFileSync(
  cassette,
  `format: mcp-record/1\nevents:\n${events.map((event) => `- ${JSON.stringify(event)}\n`).join('')}`,
);

/** Loads a server, and returns the figures of each report. */
async function loaded(how: string, command = fixture('ends-streams.js', how), ...thresholds: string[]) {
  await using server = await serve(command, '/mcp');
  const [junit, html] = [join(folder, `${how}.xml`), join(folder, `${how}.html`)];
  const conditions = thresholds.flatMap((text) => ['--threshold', text]);
  const at = ['--for', '300ms', '--timeout', '2000', '--http', server.url.href];
  const words = ['load', '--clients', '2', ...conditions, ...at, cassette];
  const json = await run(mcpRecord(...words, '--json', '--junit', junit, '--html', html));
  const text = await run(mcpRecord(...words));
  const figures: LoadJson = JSON.parse(json.stdout.toString());
  const [, block] = /id="data">([^<]*)</.exec(readFileSync(html, 'utf8'))!;
  const page: LoadPageData = JSON.parse(gunzipSync(Buffer.from(block!, 'base64')).toString());
  const calls = figures.calls.find(({ what }) => what === 'tools/call "weather"')!;
  return {
    figures,
    calls,
    page,
    junit: readFileSync(junit, 'utf8'),
    text: text.stdout.toString(),
    status: json.status,
  };
}

describe('a load counts the event streams that a server', () => {
  it.each(['get', 'post'])('ends, and that clients resume: of %s', async (how) => {
    const { figures, calls, page, junit, text, status } = await loaded(how);
    expect([status, figures.failed]).toEqual([0, 0]);
    // Each session has one call, in which a stream is ended.
    expect(calls.answers).toBeGreaterThan(1);
    expect([figures.lostStreams, figures.resumedStreams]).toEqual([calls.answers, calls.answers]);
    expect(page.figures).toMatchObject({ lostStreams: calls.answers, resumedStreams: calls.answers });
    expect(junit).toContain(`<property name="lostStreams" value="${calls.answers}"/>`);
    expect(junit).toContain(`<property name="resumedStreams" value="${calls.answers}"/>`);
    expect(text).toMatch(/^load of .*\n\d+ event streams lost, all of them resumed\n\n/);
  });

  it('ends for good, although no answer is wrong', async () => {
    const { figures, calls, text, status } = await loaded('get-for-good');
    expect([status, figures.failed]).toEqual([0, 0]);
    expect([figures.lostStreams, figures.resumedStreams]).toEqual([calls.answers, 0]);
    expect(text).toMatch(/\n\d+ event streams lost, none of them resumed\n/);
  });

  it('ends, and a threshold limits, which holds of one that ends none', async () => {
    const conditions = ['lostStreams<1', 'resumedStreams<1'];
    const ending = await loaded('get', undefined, ...conditions);
    expect([ending.status, ending.figures.thresholds.map(({ holds }) => holds)]).toEqual([1, [false, false]]);
    expect(ending.text).toMatch(/\n✗ lostStreams<1: it is \d+ \(/);
    const sound = await loaded('none', undefined, ...conditions);
    expect([sound.status, sound.figures.thresholds.map(({ holds }) => holds)]).toEqual([0, [true, true]]);
  });

  it('ends for good, with the answer that was to come on them', async () => {
    const { figures, calls, status } = await loaded('post-for-good');
    expect(status).toBe(1);
    expect(calls.failed).toBe(calls.answers);
    expect([figures.lostStreams, figures.resumedStreams]).toEqual([calls.answers, 0]);
  });

  it('does not end before the client does: none', async () => {
    const { figures, calls, junit, text, status } = await loaded('none');
    expect([status, figures.failed]).toEqual([0, 0]);
    expect(calls.answers).toBeGreaterThan(1);
    expect([figures.lostStreams, figures.resumedStreams]).toEqual([0, 0]);
    expect(junit).toContain('<property name="lostStreams" value="0"/>');
    expect(text).not.toContain('event stream');
  });

  it.each([
    ['with sessions', fixture('loaded.js', 'forgets', '1000000')],
    ['without sessions', fixture('loaded.js')],
    [
      'with sessions and an event store',
      program('@modelcontextprotocol/server-everything', 'dist/index.js', 'streamableHttp'),
    ],
  ])('of the official SDK does not end: none of a server %s', async (title, command) => {
    const { figures } = await loaded(title.replaceAll(' ', '-'), command);
    expect(figures.answers).toBeGreaterThan(1);
    expect([figures.lostStreams, figures.resumedStreams]).toEqual([0, 0]);
  });
});
