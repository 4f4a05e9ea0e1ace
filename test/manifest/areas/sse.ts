import { expect } from 'vitest';
import type { Area } from '../area.ts';
import { inFolder } from '../folder.ts';
import { showMockClient, showMockServer, showRecorder } from '../show.ts';
import type { Talk } from '../talk.ts';
import { serveHttp } from '../wire/http-ends.ts';
import type { Line } from '../wire/line.ts';
import { overSse, overSseByOrigin } from '../wire/over-http.ts';
import { sseClient } from '../wire/sse-peers.ts';
import { converse } from '../wire/wire.ts';

const LEGACY = { until: '2025-11-25' } as const;
const ON = { ...LEGACY, on: ['HTTP+SSE'] } as const;
const SOURCE = '2024-11-05, HTTP with SSE';
const ELSEWHERE = { stdio: 'HTTP only', 'Streamable HTTP': 'one endpoint' } as const;

const session = (talk: Talk): Line[] => [
  ...talk.opening({ server: { tools: {} } }),
  talk.ask(1, 'tools/call', { name: 'echo' }),
  talk.answer(1, { content: [{ type: 'text', text: 'done' }] }),
];

/** HTTP with SSE, as servers offer it to older clients. */
export const sse: Area = {
  name: 'HTTP+SSE',
  requirements: [
    {
      id: 'sse/endpoint',
      ...LEGACY,
      source: SOURCE,
      not: ELSEWHERE,
      says: 'The stream names where to post, by a path or a URL, which a proxy makes its own.',
    },
    {
      id: 'sse/ended',
      ...LEGACY,
      source: SOURCE,
      not: { ...ELSEWHERE, 'Streamable HTTP': 'http/session-end' },
      says: 'The end of the stream is the end of the session; the next stream is another.',
    },
    {
      id: 'sse/fallback',
      since: '2025-03-26',
      until: '2025-11-25',
      source: 'Streamable HTTP, Backwards Compatibility',
      not: { ...ELSEWHERE, recorder: 'only passes', 'mock server': 'offers both' },
      says: 'A client that is refused tries the older form.',
    },
    {
      id: 'sse/same-origin',
      ...LEGACY,
      source: SOURCE,
      says: 'A client posts nowhere but to the origin that it asked.',
      shownBy: [
        'test/transports/http/client/mcp-http-client.test.ts',
        'posts nothing to %s',
        'needs a server that lies',
      ],
    },
  ],
  conversations: [
    {
      title: 'a client finds out what form of HTTP the server speaks',
      since: '2025-03-26',
      until: '2025-11-25',
      shows: ['sse/fallback'],
      lines: session,
    },
  ],
  scenes: [
    {
      title: 'a server names where to post by a whole URL',
      ...ON,
      shows: ['sse/endpoint'],
      async play(talk) {
        const said = session(talk);
        // Where the URL were left as it is, the client would pass the recorder by, and the cassette lack what it said.
        const cassette = await showRecorder(overSseByOrigin, said, said);
        await showMockServer(overSse, said, cassette);
        await showMockClient(overSseByOrigin, said, cassette);
      },
    },
    {
      title: 'a client leaves the stream, and another begins',
      ...ON,
      shows: ['sse/ended'],
      async play(talk) {
        const said = session(talk);
        const cassette = await inFolder(async (folder) => {
          const { client, server, cassette: recorded } = await overSse.record(folder);
          await converse(said, { client, server });
          await client.close();
          await server.left!();
          return recorded();
        });
        expect(cassette.end).toBe('stream closed');

        const serving = await serveHttp([cassette]);
        for (const _ of ['one', 'another']) {
          const client = await sseClient(new URL('/sse', serving.url).href);
          await converse(said, { client });
          await client.close();
        }
        await serving.close();
        expect(serving.findings).toEqual([]);

        await using drove = await overSse.drive(cassette);
        await converse(said, drove);
        await drove.server.left!();
      },
    },
  ],
};
