import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { streamCassette } from '../../../src/cassette/read/stream-cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { gone, residentBytes, run } from '../../support/process.ts';
import { record, replay, server } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-crowd-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Asks as a client would that opens no more than it must. */
function ask(url: URL, message: object, session?: string, signal?: AbortSignal): Promise<Response> {
  const ours = session === undefined ? {} : { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25' };
  return fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...ours },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal && { signal }),
  });
}

async function open(url: URL): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const answer = await ask(url, { id: 0, method: 'initialize', params });
  await answer.text();
  return answer.headers.get('mcp-session-id') ?? '';
}

const requestsSeen = async (url: URL) => Number(await (await fetch(new URL('/count', url))).text());

describe('two hundred sessions at once, all with the same ids', () => {
  it('have each a cassette of its own session alone, and cost the server no request more', async () => {
    const output = mkdtempSync(join(folder, 'crowd-'));
    await using far = await server('plain.js');
    await using recorder = await record(far.url, `${output}/`);
    const clients = Array.from({ length: 200 }, (_, n) => n);

    const sessions = await Promise.all(clients.map(() => open(recorder.url)));
    const told = await Promise.all(
      clients.flatMap((who) =>
        [1, 2, 3].map(async (id) => {
          const answer = await ask(recorder.url, { id, method: 'whoami', params: { who } }, sessions[who]);
          const { result } = (await answer.json()) as { result: unknown };
          return { who, id, result };
        }),
      ),
    );
    expect(told).toEqual(
      clients.flatMap((who) => [1, 2, 3].map((id) => ({ who, id, result: { who, session: sessions[who] } }))),
    );
    expect(await requestsSeen(far.url)).toBe(200 * 4);
    expect((await recorder.stop()).status).toBe(0);

    const cassettes = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
    const owners = cassettes.map((cassette) =>
      [...cassette.matchAll(/^ +who: (\d+)$/gm)].map(([, who]) => Number(who)),
    );
    expect(owners.map((all) => [...new Set(all)]).sort(([a = 0], [b = 0]) => a - b)).toEqual(
      clients.map((who) => [who]),
    );
    for (const all of owners) expect(all).toHaveLength(6);
    for (const name of readdirSync(output)) expect(loadCassette(join(output, name)).events).toHaveLength(8);
  });
});

describe('two clients of a server without sessions, with the same ids at once', () => {
  const said = (side: string, stream: number, more: object) =>
    `- ${side}: ${JSON.stringify({ jsonrpc: '2.0', id: 0, ...more })}\n  stream: ${stream}\n`;
  const asked = (who: number) => ({ method: 'tools/call', params: { name: 'whoami', arguments: { who } } });
  const cassette = [
    'format: mcp-record/1\ntransport: http\nurl: http://127.0.0.1:1/mcp\nevents:\n',
    said('client', 1, asked(1)),
    said('client', 2, asked(2)),
    said('server', 1, { result: { who: 1 } }),
    said('server', 2, { result: { who: 2 } }),
  ].join('');

  it('are shown each their own answer, and get it in replay', async () => {
    const file = join(folder, 'same-ids.yaml');
    writeFileSync(file, cassette);
    const { stdout } = await run(mcpRecord('show', '--json', file));
    const { rows } = JSON.parse(stdout.toString()) as { rows: { line: number; request?: number }[] };
    const [one, two] = rows.map(({ line }) => line);
    expect(rows.map(({ request }) => request)).toEqual([undefined, undefined, one, two]);

    await using mock = await replay(file);
    const answers = [2, 1].map(async (who) => (await ask(mock.url, { id: 0, ...asked(who) })).json());
    expect(await Promise.all(answers)).toMatchObject([{ result: { who: 2 } }, { result: { who: 1 } }]);
    expect((await mock.stop()).status).toBe(0);
  });
});

describe('a stream of a hundred thousand events', () => {
  it('passes each as it comes, whole and in order, in flat memory, and is all in the cassette', async () => {
    const file = join(folder, 'long.yaml');
    const [count, acknowledged] = [100_000, 200];
    await using far = await server('plain.js');
    await using recorder = await record(far.url, file);
    const session = await open(recorder.url);
    const answer = await ask(recorder.url, { id: 1, method: 'stream', params: { count, acknowledged } }, session);

    let [next, text, resident] = [0, '', 0];
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events.filter((event) => event.includes('"method"'))) {
        if (!event.includes(`"event ${next}"`)) throw new Error(`${event} came instead of event ${next}`);
        // The server says nothing more before it has this: without it here, nobody would go on.
        if (next < acknowledged) await ask(recorder.url, { method: 'heard' }, session);
        next++;
      }
      if (next > count / 10 && resident === 0) resident = residentBytes(recorder.pid);
    }
    expect(next).toBe(count);
    expect(residentBytes(recorder.pid) - resident).toBeLessThan(64 * 1024 * 1024);
    expect((await recorder.stop()).status).toBe(0);

    let told = 0;
    for await (const event of (await streamCassette(file)).events)
      if (event.frame.kind === 'message' && event.frame.json.text.includes(`"event ${told}"`)) told++;
    expect(told).toBe(count);
  });
});

describe('in the middle of a stream', () => {
  it('a client that vanishes is seen by the server', async () => {
    await using far = await server('plain.js');
    await using recorder = await record(far.url, join(folder, 'vanished.yaml'));
    const session = await open(recorder.url);
    const leave = new AbortController();
    await ask(recorder.url, { id: 1, method: 'hang' }, session, leave.signal);
    leave.abort();
    expect(await far.tells('lost hang')).toBe('lost hang');
    await recorder.stop();
    expect(readFileSync(join(folder, 'vanished.yaml'), 'utf8')).toContain('- close: client\n  stream: 2\n');
  });

  it('a server that dies is seen by the client, whose next request is answered with 502', async () => {
    await using far = await server('plain.js');
    await using recorder = await record(far.url, join(folder, 'died.yaml'));
    const session = await open(recorder.url);
    const answer = await ask(recorder.url, { id: 1, method: 'hang' }, session);
    await expect(Promise.all([answer.text(), ask(recorder.url, { id: 2, method: 'die' }, session)])).rejects.toThrow();
    // Its connections end one by one: until it is gone it may accept another, which ends as they did.
    await gone(far.pid);
    expect((await ask(recorder.url, { id: 3, method: 'whoami' }, session)).status).toBe(502);
    const { status } = await recorder.stop();
    expect(status).toBe(0);
    expect(recorder.said.join('\n')).toContain('Cannot reach http://127.0.0.1');
    expect(readFileSync(join(folder, 'died.yaml'), 'utf8')).toContain('- close: server\n  stream: 2\n');
  });
});
