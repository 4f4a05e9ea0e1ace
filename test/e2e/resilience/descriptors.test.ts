import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import type { Command } from '../../support/command.ts';
import { titled } from '../../support/on-posix.ts';
import { Running } from '../../support/process.ts';
import { record, server } from '../http/processes.ts';

const folder = temporaryFolder();

/** The command, with so many open files allowed. */
const withFiles =
  (count: number) =>
  ({ command, args }: Command): Command => ({
    command: '/bin/sh',
    args: ['-c', `ulimit -n ${count}; exec "$@"`, 'sh', command, ...args],
  });

interface Told {
  status: number | undefined;
  session: string | undefined;
  text: string;
}

/** A client that has one connection. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;
  session: string | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  async open(): Promise<Told> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const told = await this.ask({ id: 0, method: 'initialize', params });
    this.session = told.session;
    return told;
  }

  ask(message: object): Promise<Told> {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(this.session && { 'Mcp-Session-Id': this.session, 'MCP-Protocol-Version': '2025-11-25' }),
    };
    return new Promise((resolve, reject) => {
      const asking = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const session = response.headers['mcp-session-id'] as string | undefined;
        text(response).then((body) => resolve({ status: response.statusCode, session, text: body }), reject);
      });
      asking.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  }

  async whoami(who: number): Promise<unknown> {
    const { result } = JSON.parse((await this.ask({ id: 1, method: 'whoami', params: { who } })).text);
    return result;
  }

  leave(): void {
    this.#agent.destroy();
  }
}

/** Whether files can be counted. Under wine, a folder of Linux is there that is not of the program. */
const hasFiles = process.platform !== 'win32' && existsSync('/proc/self/fd');

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** Waits until a process has closed all but so many files. */
async function closed(pid: number, count: number): Promise<void> {
  while (filesOf(pid) > count) await new Promise((resolve) => setImmediate(resolve));
}

const cassettesIn = (output: string) => readdirSync(output).map((name) => join(output, name));

/** A server of Node's own that tells, when it is asked, which of its events came. */
const BARE = `
  const server = require('node:http').createServer((request, response) => response.end('x'));
  const heard = [];
  for (const name of ['error', 'drop', 'clientError']) server.on(name, () => heard.push(name));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.stdin.on('data', () => console.log(JSON.stringify(heard)));
`;

it.runIf(hasFiles)(
  titled(
    'Node closes connections for which it has no file, and tells nobody: so a recorder cannot tell either',
    'descriptors',
  ),
  async () => {
    await using server = new Running(withFiles(40)({ command: process.execPath, args: ['-e', BARE] }));
    const port = Number(await server.line());
    const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1'));
    const ends = sockets.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('data', () => resolve('served'));
          socket.once('close', () => resolve('lost'));
          // Only what had arrived when it was closed makes a reset of that.
          socket.on('error', () => {});
          socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
        }),
    );
    const ended = await Promise.all(ends);
    expect(new Set(ended)).toEqual(new Set(['served', 'lost']));
    server.child.stdin.write('well?');
    expect(await server.line()).toBe('[]');
    for (const socket of sockets) socket.destroy();
  },
);

describe.runIf(hasFiles)(titled('a recorder that may open few files', 'descriptors'), () => {
  it('records every session in one cassette, however many there are', async () => {
    const output = mkdtempSync(join(folder, 'sessions-'));
    await using far = await server('plain.js');
    await using recorder = await record(far.url, `${output}/`, withFiles(64));
    const client = new Client(recorder.url);
    const sessions: (string | undefined)[] = [];
    for (let who = 0; who < 100; who++) {
      client.session = undefined;
      expect((await client.open()).status).toBe(200);
      sessions.push(client.session);
    }
    for (const [who, session] of sessions.entries()) {
      client.session = session;
      expect(await client.whoami(who)).toEqual({ who, session });
    }
    client.leave();
    const { status, stderr } = await recorder.stop();
    expect([status, stderr.match(/CASSETTE_NOT_WRITTEN/g)]).toEqual([0, null]);
    const cassettes = cassettesIn(output);
    expect(cassettes).toHaveLength(100);
    for (const cassette of cassettes) {
      expect(loadCassette(cassette).warnings).toEqual([]);
      expect(readFileSync(cassette, 'utf8').match(/^ +who: \d+$/gm)).toHaveLength(2);
    }
  });

  it('loses none of those that are connected when many more come, and takes new ones after these have gone', async () => {
    const output = mkdtempSync(join(folder, 'crowd-'));
    await using far = await server('plain.js');
    await using recorder = await record(far.url, `${output}/`, withFiles(64));
    const first = new Client(recorder.url);
    await first.open();
    const files = filesOf(recorder.pid);
    const crowd = Array.from({ length: 60 }, () => new Client(recorder.url));
    const opened = await Promise.allSettled(crowd.map((client) => client.open()));
    const refused = opened.filter(({ status, ...more }) => {
      return status === 'rejected' || ('value' in more && more.value.status !== 200);
    });
    expect(refused.length).toBeGreaterThan(0);
    expect(await first.whoami(1)).toEqual({ who: 1, session: first.session });
    for (const client of crowd) client.leave();
    // What remains is what the first client needs, its cassette, which may not have been open yet, one for each that was served, and
    // the one of the run.
    await closed(recorder.pid, files + 1 + crowd.length - refused.length + 1);

    const late = new Client(recorder.url);
    expect((await late.open()).status).toBe(200);
    expect(await late.whoami(2)).toEqual({ who: 2, session: late.session });
    for (const client of [first, late]) client.leave();
    const { status, stderr } = await recorder.stop();
    expect([status, stderr.match(/CASSETTE_NOT_WRITTEN/g)]).toEqual([0, null]);
    const said = cassettesIn(output).map((cassette) => readFileSync(cassette, 'utf8'));
    for (const who of [1, 2]) expect(said.filter((cassette) => cassette.includes(`who: ${who}\n`))).toHaveLength(1);
  });

  it('tells a client that is one too many, if it knows how many there may be', async () => {
    const output = mkdtempSync(join(folder, 'limit-'));
    await using far = await server('plain.js');
    await using recorder = await record(far.url, `${output}/`, '--connections', '2');
    const [one, two, three] = [1, 2, 3].map(() => new Client(recorder.url)) as [Client, Client, Client];
    expect((await one.open()).status).toBe(200);
    expect((await two.open()).status).toBe(200);
    const refusal = await three.open();
    expect([refusal.status, refusal.text]).toEqual([
      503,
      expect.stringMatching(/2 connections are open.*\[HTTP_TOO_MANY_CONNECTIONS\]\n.*--connections/),
    ]);
    expect(await one.whoami(1)).toEqual({ who: 1, session: one.session });
    for (const client of [one, two, three]) client.leave();
    const { status, stderr } = await recorder.stop();
    expect([status, stderr]).toEqual([0, expect.stringContaining('[HTTP_TOO_MANY_CONNECTIONS]')]);
    expect(cassettesIn(output)).toHaveLength(2);
  });
});
