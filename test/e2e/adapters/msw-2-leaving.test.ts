import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { http } from 'msw2';
import { setupServer } from 'msw2/node';
import { expect, it } from 'vitest';
import { mswEndpoint } from '../../../src/adapters/msw.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const url = 'http://mocked.test/mcp';
const cassette = join(temporaryFolder(), 'cassette.yaml');
writeFileSync(
  cassette,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: slow, _meta: { progressToken: 1 } } }
- server: { jsonrpc: "2.0", method: notifications/progress, params: { progressToken: 1, progress: 1 } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [] } }
  after: 60000
- client: { jsonrpc: "2.0", id: 2, method: tools/call, params: { name: quick } }
- server: { jsonrpc: "2.0", id: 2, result: { content: [] } }
`,
);

const opening = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const slow = { method: 'tools/call', params: { name: 'slow', _meta: { progressToken: 'mine' } } };
const quick = { method: 'tools/call', params: { name: 'quick' } };

let ids = 0;

/** Each request has an id of its own. */
function ask(message: object, session?: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ids++, ...message }),
    ...(signal && { signal }),
  });
}

it.each(['cancels its body', 'aborts its request'])(
  'a client of MSW 2 that %s in the midst of a stream hurts nobody',
  async (how) => {
    const clock = new ManualClock();
    const mock = mswEndpoint(http, url, cassette, { clock, timing: 'recorded' });
    const server = setupServer(mock.handler);
    server.listen({ onUnhandledRequest: 'error' });
    try {
      const session = (await ask(opening)).headers.get('mcp-session-id')!;
      const initialized = { method: 'notifications/initialized', id: undefined };
      expect((await ask(initialized, session)).status).toBe(202);
      const leaving = new AbortController();
      const response = await ask(slow, session, leaving.signal);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let heard = '';
      while (!heard.includes('"progress":1')) heard += (await reader.read()).value;
      if (how === 'cancels its body') await reader.cancel();
      else {
        leaving.abort();
        await expect(reader.read()).rejects.toThrow('aborted');
      }
      clock.advance(60_000);
      expect(await (await ask(quick, session)).json()).toMatchObject({ result: { content: [] } });
      expect(mock.received().map(({ method }) => method)).toEqual(['initialize', 'tools/call', 'tools/call']);
      expect(mock.finish()).toMatchObject({ failed: false, findings: [] });
    } finally {
      server.close();
    }
  },
);
