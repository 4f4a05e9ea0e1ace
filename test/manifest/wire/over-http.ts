import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { liveHttpServer as liveOverHttp } from '../../../src/verify/run/live-http-server.ts';
import { runRecordedClient } from '../../../src/verify/run/run-recorded-client.ts';
import { recordHttp, serveHttp } from './http-ends.ts';
import { Inbox } from './inbox.ts';
import { cancelOf, type Message } from './line.ts';
import type { Peer } from './peer.ts';
import { sseClient, sseServer } from './sse-peers.ts';
import { streamableClient, streamableServer } from './streamable-peers.ts';
import { turnClock } from './turn-clock.ts';
import type { Wire } from './wire.ts';

interface Form {
  client(url: string): Peer | Promise<Peer>;
  server(): Promise<Peer & { url: string }>;
  path: string;
}

/** In turns of the event loop: more than a conversation takes. */
const PATIENCE = 1_000_000;

function liveHttpServer(form: Form): Wire {
  return {
    async record(folder, redactor) {
      const server = await form.server();
      const recording = await recordHttp(server.url, folder, undefined, redactor);
      const client = await form.client(recording.url);
      return {
        client,
        server,
        async cassette() {
          await client.close();
          const [only, ...others] = await recording.cassettes();
          await server.close();
          if (others.length > 0) throw new Error(`one session, and ${others.length + 1} cassettes`);
          return only!;
        },
      };
    },

    async serve(cassette, ignore = []) {
      const inbox = new Inbox('mock server');
      const serving = await serveHttp(
        [cassette],
        ({ method, body }) => {
          if (method !== 'POST') return () => {};
          const message = JSON.parse(body) as Message;
          inbox.put(message);
          return () => inbox.put(cancelOf(message.id!));
        },
        ignore,
      );
      const client = await form.client(new URL(form.path, serving.url).href);
      return {
        client,
        server: { inbox },
        async findings() {
          await client.close();
          await serving.close();
          return serving.findings;
        },
      };
    },

    async drive(cassette, redaction) {
      const server = await form.server();
      const live = liveOverHttp({
        upstream: parseUpstream(server.url),
        clock: turnClock,
        patience: PATIENCE,
      });
      const driven = runRecordedClient({ cassette, server: live, clock, redaction });
      return { server, driven, [Symbol.asyncDispose]: async () => void (await server.close()) };
    },
  };
}

export const overStreamableHttp: Wire = liveHttpServer({
  client: streamableClient,
  server: streamableServer,
  path: '/mcp',
});

export const overSse: Wire = liveHttpServer({ client: sseClient, server: () => sseServer(), path: '/sse' });

/** The server names where to post by a whole URL. */
export const overSseByOrigin: Wire = liveHttpServer({
  client: sseClient,
  server: () => sseServer(true),
  path: '/sse',
});
