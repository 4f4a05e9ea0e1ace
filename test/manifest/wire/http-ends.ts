import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import { HttpRecorder } from '../../../src/record/http/http-traffic-recorder.ts';
import type { Redactor } from '../../../src/redact/redactor.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import { httpCassette } from '../../../src/replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../../src/replay/http/http-mock-handler.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../../src/replay/http/legacy-sse-server.ts';
import { startReverseProxy } from '../../../src/transports/http/proxy/reverse-proxy.ts';
import { listen, type ReceivedHttpRequest } from '../../../src/transports/http/server/http-listener.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';

const local = { hostname: '127.0.0.1', port: 0 };
const LIMIT = 1e6;

const fail = (error: unknown) => {
  throw error;
};

/** A recorder before a server over HTTP. */
export interface HttpRecording {
  url: string;
  /** Ends it. Its cassettes, in the order of their names. */
  cassettes(): Promise<Cassette[]>;
}

/** Told of what does not pass; absent: nothing may be so. */
type Trouble = (error: Error) => void;

export async function recordHttp(
  serverUrl: string,
  folder: string,
  trouble: Trouble = fail,
  redactor?: () => Redactor,
): Promise<HttpRecording> {
  const upstream = parseUpstream(serverUrl);
  const recorder = new HttpRecorder({
    open: () => new CassetteFile(join(folder, 'http.yaml')),
    clock,
    gap: 'none',
    ...(redactor && { redactor }),
    failed: fail,
    upstream,
    idleMax: 60_000,
    holdBytesMax: LIMIT,
    cut: fail,
  });
  const proxy = await startReverseProxy({
    upstream,
    listen: local,
    allowed: [],
    clock,
    exchange: () => recorder.exchange(),
    trouble,
  });
  return {
    url: `${proxy.origin}${upstream.path}`,
    async cassettes() {
      recorder.end('complete');
      await proxy.close();
      const names = readdirSync(folder).map((name) => name.slice(0, -'.yaml'.length));
      return Promise.all(names.sort().map((name) => loadCassette(join(folder, `${name}.yaml`))));
    },
  };
}

/** A mock server over HTTP. */
export interface HttpServing {
  url: string;
  findings: Finding[];
  close(): Promise<void>;
}

/** Told of each request, and when its client leaves it. */
type Overhears = (asked: ReceivedHttpRequest) => () => void;

export async function serveHttp(
  cassettes: readonly Cassette[],
  overhears: Overhears = () => () => {},
  ignore: readonly Ignore[] = [],
): Promise<HttpServing> {
  const findings: Finding[] = [];
  let sessions = 0;
  const server = new HttpMockHandler({
    cassettes: cassettes.map((cassette) => httpCassette(cassette)),
    clock,
    ignore,
    report: (finding) => void findings.push(finding),
    newSession: () => `another-session-${++sessions}`,
  });
  const listener = await listen({
    ...local,
    path: '/mcp',
    otherPaths: [SSE_PATH, SSE_ENDPOINT],
    allowed: [],
    bodyMax: LIMIT,
    serve(asked, answering) {
      const gone = server.serve(asked, answering);
      const left = overhears(asked);
      return () => {
        gone();
        left();
      };
    },
  });
  return {
    url: listener.url,
    findings,
    async close() {
      server.end();
      await listener.close();
    },
  };
}
