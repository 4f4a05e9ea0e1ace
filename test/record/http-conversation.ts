import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { CassetteFile } from '../../src/cassette/write/cassette-file.ts';
import type { Side } from '../../src/channel/frame.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { AuthorizationRecorder } from '../../src/record/authorization/authorization-recorder.ts';
import { PassingCredentials } from '../../src/record/authorization/passing-credentials.ts';
import { HttpRecorder } from '../../src/record/http/http-traffic-recorder.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { BodyMemory } from '../../src/transports/http/http1/body-memory.ts';
import type { CloseKind, HttpTrafficEvent } from '../../src/transports/http/proxy/http-traffic.ts';
import { parseUpstream } from '../../src/transports/http/upstream/parse-upstream.ts';

export interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Origin of an authorization server. Absent: the request is for the recorded server. */
  origin?: string;
}

const flat = (headers: Record<string, string>) => Object.entries(headers).flat();
const bytes = (body: unknown) => {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

/** Headers of a request without a session. */
export const POST: Record<string, string> = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};
const STREAM = { 'Content-Type': 'text/event-stream' };

/** A recorder, and exchanges as a test tells them. */
export function conversation({
  holdBytesMax = 1e6,
  sessionsMax = 100,
  clock = new ManualClock(),
  redacts = false,
  keepsAuthorization = false,
  allow = [] as readonly string[],
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-record-http-'));
  const failures: unknown[] = [];
  const cuts: Side[] = [];
  const named: string[] = [];
  let isFull = false;
  let room = Number.POSITIVE_INFINITY;
  const written: CassetteFile[] = [];
  class CountedCassette extends CassetteFile {
    override park() {
      super.park();
      room++;
    }
  }
  const cut = (from: Side) => void cuts.push(from);
  const failed = (error: unknown) => void failures.push(error);
  const authorization = keepsAuthorization ? new AuthorizationRecorder({ holdBytesMax, cut, failed }) : undefined;
  const redactor = redacts ? () => createRedactor({ env: {}, allow }) : undefined;
  const credentials = redactor && new PassingCredentials({ redactor, memory: new BodyMemory(holdBytesMax), failed });
  /** An exchange with an authorization server. */
  const aside = (origin: string) => {
    const listeners = [credentials?.exchange(), authorization?.exchange(origin)];
    return (piece: HttpTrafficEvent) => {
      for (const listener of listeners) listener?.(piece);
    };
  };
  const recorder = new HttpRecorder({
    open: () => {
      if (isFull) throw new Error('no room');
      if (room === 0) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      room--;
      const cassette = new CountedCassette(join(folder, 'cassette.yaml'));
      written.push(cassette);
      return cassette;
    },
    named: (path) => void named.push(basename(path)),
    clock,
    gap: 'coarse',
    redactor,
    failed,
    upstream: parseUpstream('https://far.example/mcp?key=secret'),
    idleMax: 1000,
    holdBytesMax,
    sessionsMax,
    cut,
    authorization,
    credentials,
  });

  /** The client asks; what the server then does is the test's to tell. */
  function ask({ method = 'POST', path = '/mcp', headers = method === 'POST' ? POST : {}, body, origin }: Ask) {
    const take = origin === undefined ? recorder.exchange() : aside(origin);
    const at = clock.now();
    take({ kind: 'request', at, method, path, headers: flat(headers) });
    if (body !== undefined) take({ kind: 'data', at, from: 'client', data: bytes(body) });
    const exchange = {
      asked: () => void take({ kind: 'end', at, from: 'client' }),
      head(status: number, headers: Record<string, string> = {}) {
        take({ kind: 'response', at: clock.now(), status, headers: flat(headers) });
        return exchange;
      },
      says(data: unknown) {
        take({ kind: 'data', at: clock.now(), from: 'server', data: bytes(data) });
        return exchange;
      },
      event: (message: unknown) => exchange.says(`data: ${JSON.stringify(message)}\n\n`),
      ends: () => take({ kind: 'end', at: clock.now(), from: 'server' }),
      gone: (from: Side, how: CloseKind) => take({ kind: 'gone', at: clock.now(), from, how }),
      /** A whole JSON answer. */
      json(message: unknown, headers: Record<string, string> = {}, status = 200) {
        exchange
          .head(status, { 'Content-Type': 'application/json', ...headers })
          .says(message)
          .ends();
      },
      stream: (headers: Record<string, string> = {}) => exchange.head(200, { ...STREAM, ...headers }),
    };
    return exchange;
  }

  return {
    clock,
    recorder,
    failures,
    cuts,
    /** The names of cassettes that were told. */
    named,
    /** From now on the disk has no room for another cassette, or has again. */
    breaks(now: boolean) {
      isFull = now;
    },
    /** From now on the system allows another cassette only when one has closed its file. */
    crowds() {
      room = 0;
    },
    ask(one: Ask) {
      const exchange = ask(one);
      exchange.asked();
      return exchange;
    },
    /** The same, with the rest of the body still to come. */
    begin: ask,
    /** A client opens a session with that id. */
    open(id: string, request = 0) {
      const initialize = {
        jsonrpc: '2.0',
        id: request,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25' },
      };
      this.ask({ body: initialize }).json(
        { jsonrpc: '2.0', id: request, result: { protocolVersion: '2025-11-25' } },
        { 'Mcp-Session-Id': id },
      );
    },
    cassettes: () => readdirSync(folder).sort(),
    /** The text of a cassette's events, once the turn is over. */
    cassetteText(name = 'cassette.yaml'): string {
      clock.endTurn();
      return readFileSync(join(folder, name), 'utf8').split('events:\n')[1]!;
    },
    cassette: (name = 'cassette.yaml') => parseCassette(readFileSync(join(folder, name)), name),
    [Symbol.dispose]() {
      // Windows removes no folder with a file that is open.
      for (const cassette of written) cassette.abandon();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Headers of a request in that session, as its revision demands them. */
export const inSession = (id: string, headers: Record<string, string> = {}): Record<string, string> => ({
  ...POST,
  'Mcp-Session-Id': id,
  'MCP-Protocol-Version': '2025-11-25',
  ...headers,
});
