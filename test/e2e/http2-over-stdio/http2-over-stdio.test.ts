import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, mcpRecord } from '../../support/command.ts';
import { type Ended, run } from '../../support/process.ts';
import { record, replay, server } from '../http/processes.ts';

/**
 * A spike for HTTP over stdio, which the next revision of MCP may have: decision 34 says what it shows. The recorder and the
 * player of HTTP are used as they are, and all of HTTP/2 is in four programs beside this test.
 */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-pipes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const path = (name: string) => join(folder, name);

function program(name: string, ...args: string[]): Command {
  return { command: process.execPath, args: [join(import.meta.dirname, name), ...args] };
}

/** The client with a server that it starts. */
function clientOf({ command, args }: Command): Promise<Ended> {
  return run(program('client.js', '--', command, ...args));
}

function recording(file: string, { command, args }: Command): Command {
  return program('recorder.js', file, command, ...args);
}

const results = ({ stdout, stderr, status }: Ended) => {
  expect([stderr, status]).toEqual(['', 0]);
  return JSON.parse(stdout.toString());
};

/** The events of a cassette. Over HTTP/1.1, two calls at once take two connections, and come in any order. */
function contents(file: string): string[] {
  const [, ...events] = readFileSync(path(file), 'utf8').split(/\n- /);
  return events.map((event) => event.replace(/\n {2}stream: \d+/g, '').trim()).sort();
}

const text = (words: string) => expect.objectContaining({ content: [{ type: 'text', text: words }] });
const RESULTS = {
  tools: expect.arrayContaining(['add', 'count', 'waits']),
  sums: [text('3'), text('7')],
  progress: [1, 2, 3].map((progress) => ({ progress, total: 3 })),
  counted: text('counted to 3'),
  cancelled: expect.stringContaining('abort'),
  echo: text('the connection is still there'),
  fails: expect.objectContaining({ isError: true }),
};

describe('a session over HTTP/2 on the standard streams of a process', () => {
  let live: unknown;
  beforeAll(async () => {
    live = results(await clientOf(program('server.js')));
    expect(live).toEqual(RESULTS);
    expect(results(await clientOf(recording(path('pipes.yaml'), program('server.js'))))).toEqual(live);

    await using modern = await server('modern.js');
    await using recorder = await record(modern.url, path('http.yaml'), '--timing', 'none');
    expect(results(await run(program('client.js', recorder.url.href)))).toEqual(live);
    await recorder.stop();
  });

  it('is recorded as over HTTP: requests, responses, events, and a stream that the client closed', () => {
    expect(contents('pipes.yaml')).toEqual(contents('http.yaml'));
    expect(contents('pipes.yaml')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^server:[\s\S]*notifications\/progress[\s\S]*sse: \{\}/),
        expect.stringMatching(/^close: client\n {2}how: fin$/),
      ]),
    );
    expect(readFileSync(path('pipes.yaml'), 'utf8')).toContain('\ntransport: http\nurl: http://localhost/mcp\n');
  });

  it.each(['pipes.yaml', 'http.yaml'])('is replayed over HTTP/2 on standard streams from %s', async (file) => {
    expect(results(await clientOf(program('player.js', path(file))))).toEqual(live);
  });

  it('is replayed and verified over HTTP', async () => {
    await using mock = await replay(path('pipes.yaml'), '--strict');
    expect(results(await run(program('client.js', mock.url.href)))).toEqual(live);
    const { status, stderr } = await mock.stop();
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('never came')]);

    await using modern = await server('modern.js');
    const verified = await run(mcpRecord('verify', path('pipes.yaml'), '--http', modern.url.href));
    expect([verified.stderr, verified.status]).toEqual([expect.anything(), 0]);
  });

  it('is recorded to its end if the server dies in a call, and the replay breaks off there', async () => {
    const ended = await clientOf(recording(path('dies.yaml'), program('server.js', 'dies')));
    const lost = { ...RESULTS, fails: expect.any(String) };
    expect(results(ended)).toEqual(lost);
    expect(readFileSync(path('dies.yaml'), 'utf8')).toMatch(/- close: server\n {2}stream: 8\n {2}how: \w+\n- end: /);
    expect(results(await clientOf(program('player.js', path('dies.yaml'))))).toEqual(lost);
  });

  it('passes through record as it is, which says that it cannot record it', async () => {
    const { command, args } = program('server.js');
    const ended = await clientOf(mcpRecord('record', '-o', path('lines.yaml'), '--', command, ...args));
    expect([ended.status, JSON.parse(ended.stdout.toString())]).toEqual([0, live]);
    expect(ended.stderr).toMatch(
      /^mcp-record: Cannot record this session: .* \[HTTP2_OVER_STDIO\]\n {2}The session goes on.*\n$/,
    );
    expect(readdirSync(folder)).not.toContain('lines.yaml');
  });
});
