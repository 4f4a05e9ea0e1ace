import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadCassette } from '../../../src/cassette/load.ts';
import { TapeFile } from '../../../src/cassette/tape-file.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { HttpRecorder } from '../../../src/record/http-recorder.ts';
import type { Finding } from '../../../src/replay/finding.ts';
import { httpTape } from '../../../src/replay/http-tape.ts';
import { HttpServer } from '../../../src/replay/serve-http.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../../src/replay/serve-sse.ts';
import { listen } from '../../../src/transports/http/listener.ts';
import { startProxy } from '../../../src/transports/http/proxy.ts';
import { parseUpstream } from '../../../src/transports/http/upstream.ts';
import { drive } from '../../../src/verify/drive.ts';
import { overHttp as liveOverHttp } from '../../../src/verify/drive-http.ts';
import { Inbox } from './inbox.ts';
import { cancelOf, type Message } from './line.ts';
import type { Peer } from './peer.ts';
import { sseClient, sseServer } from './sse-peers.ts';
import { streamableClient, streamableServer } from './streamable-peers.ts';
import type { Wire } from './wire.ts';

interface Form {
  client(url: string): Peer | Promise<Peer>;
  server(): Promise<Peer & { url: string }>;
  path: string;
}

const fail = (error: unknown) => {
  throw error;
};
const local = { hostname: '127.0.0.1', port: 0 };
const LIMIT = 1e6;
const PATIENCE = 5_000;

function overHttp(form: Form): Wire {
  return {
    async record(folder) {
      const server = await form.server();
      const upstream = parseUpstream(server.url);
      const recorder = new HttpRecorder({
        open: () => new TapeFile(join(folder, 'http.yaml')),
        clock,
        gap: 'none',
        failed: fail,
        upstream,
        idleMax: 60_000,
        holdBytesMax: LIMIT,
        cut: fail,
      });
      const proxy = await startProxy({
        upstream,
        listen: local,
        allowed: [],
        clock,
        exchange: () => recorder.exchange(),
        trouble: fail,
      });
      const client = await form.client(`${proxy.origin}${upstream.path}`);
      return {
        client,
        server,
        async tape() {
          await client.close();
          recorder.end('complete');
          await proxy.close();
          await server.close();
          const [name, ...others] = readdirSync(folder);
          if (others.length > 0) throw new Error(`one session, and tapes: ${name}, ${others.join(', ')}`);
          return loadCassette(join(folder, name!));
        },
      };
    },

    async serve(cassette) {
      const findings: Finding[] = [];
      const inbox = new Inbox('mock server');
      const server = new HttpServer({
        tapes: [httpTape(cassette)],
        clock,
        report: (finding) => void findings.push(finding),
        newSession: () => 'another-session',
      });
      const listener = await listen({
        ...local,
        path: '/mcp',
        otherPaths: [SSE_PATH, SSE_ENDPOINT],
        allowed: [],
        bodyMax: LIMIT,
        serve(asked, answering) {
          const gone = server.serve(asked, answering);
          if (asked.method !== 'POST') return gone;
          const message = JSON.parse(asked.body) as Message;
          inbox.put(message);
          return () => {
            gone();
            inbox.put(cancelOf(message.id!));
          };
        },
      });
      const client = await form.client(new URL(form.path, listener.url).href);
      return {
        client,
        server: { inbox },
        async findings() {
          await client.close();
          server.end();
          await listener.close();
          return findings;
        },
      };
    },

    async drive(cassette) {
      const server = await form.server();
      const live = liveOverHttp({ upstream: parseUpstream(server.url), clock, patience: PATIENCE });
      const driven = drive({ cassette, server: live, clock });
      return { server, driven, [Symbol.asyncDispose]: async () => void (await server.close()) };
    },
  };
}

export const overStreamableHttp: Wire = overHttp({
  client: streamableClient,
  server: streamableServer,
  path: '/mcp',
});

export const overSse: Wire = overHttp({ client: sseClient, server: sseServer, path: '/sse' });
