import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { type Endpoint, openEndpoint } from '../../../src/mock/endpoint/fetch-endpoint.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const cassette = join(temporaryFolder(), 'cassette.yaml');
writeFileSync(
  cassette,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: c, version: "1" } } }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- server: { jsonrpc: "2.0", method: notifications/tools/list_changed }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: slow, _meta: { progressToken: 1 } } }
- server: { jsonrpc: "2.0", method: notifications/progress, params: { progressToken: 1, progress: 1 } }
- server: { jsonrpc: "2.0", id: 1, result: { content: [] } }
  after: 60000
`,
);

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const initialized = { method: 'notifications/initialized', id: undefined };
const slow = { method: 'tools/call', params: { name: 'slow', _meta: { progressToken: 'mine' } } };

let ids = 0;

/** Each request has an id of its own, unless the message has one. */
function asked(message: object, session?: string, signal?: AbortSignal): Request {
  return new Request('http://mock.test/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...('id' in message ? {} : { id: ids++ }), ...message }),
    ...(signal && { signal }),
  });
}

const heard = (response: Response) => response.text().then((text) => text.trim().split('\n\n').slice(1).map(dataOf));
const dataOf = (event: string) => JSON.parse(event.replace(/^data: /, ''));

async function open() {
  const clock = new ManualClock();
  const endpoint = openEndpoint(cassette, { clock, timing: 'recorded' });
  const opened = await endpoint.fetch(asked(initialize));
  const session = opened.headers.get('mcp-session-id')!;
  expect((await endpoint.fetch(asked(initialized, session))).status).toBe(202);
  return { clock, endpoint, session, opened };
}

describe('a reset', () => {
  it('says what it drops that would fail the test, where nobody has looked at it', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    const { endpoint, session } = await open();
    await endpoint.fetch(asked({ method: 'tools/call', params: { name: 'other' } }, session));
    endpoint.reset();
    expect(warned.mock.calls).toEqual([[expect.stringMatching(/reset\(\) drops 2 findings .*finish\(\)[\s\S]*other/)]]);
    endpoint.reset();
    await endpoint.fetch(asked(initialize));
    endpoint.finish();
    endpoint.reset();
    expect(warned).toHaveBeenCalledTimes(1);
  });
});

describe('an endpoint of several tests', () => {
  const other = { method: 'tools/call', params: { name: 'other' } };
  const clock = new ManualClock();

  /** What a test does: its client connects and calls. */
  async function call(endpoint: Endpoint, message: object): Promise<string> {
    const opened = await endpoint.fetch(asked(initialize));
    const session = opened.headers.get('mcp-session-id') ?? undefined;
    await endpoint.fetch(asked(initialized, session));
    const response = await endpoint.fetch(asked(message, session));
    clock.advance(60_000);
    return response.text();
  }

  it('counts in each what came since the last reset', async () => {
    const endpoint = openEndpoint(cassette, { clock });
    expect(await call(endpoint, slow)).toContain('"content":[]');
    expect(endpoint.finish()).toEqual({ findings: [], failed: false, failures: [] });
    endpoint.reset();
    expect([endpoint.received(), endpoint.hasEnded]).toEqual([[], false]);
    await call(endpoint, other);
    expect(endpoint.finish().findings.map(({ kind }) => kind)).toEqual(['miss', 'unused']);
    endpoint.reset();
    expect(await call(endpoint, slow)).toContain('"content":[]');
    expect(endpoint.received('tools/call')).toHaveLength(1);
    expect(endpoint.journal.entries.every(({ session }) => session === 1)).toBe(true);
    expect(endpoint.finish()).toEqual({ findings: [], failed: false, failures: [] });
  });

  it('says of recorded requests that nobody makes after a reset', async () => {
    const endpoint = openEndpoint(cassette, { clock });
    await call(endpoint, slow);
    endpoint.reset();
    expect(endpoint.finish()).toMatchObject({ findings: [{ kind: 'unused' }], failed: true });
  });

  it('ends the sessions of before', async () => {
    const { endpoint, session } = await open();
    endpoint.reset();
    expect((await endpoint.fetch(asked(slow, session))).status).toBe(404);
  });

  it('refuses what comes after its end, and fails who asks it again', async () => {
    const { endpoint, session } = await open();
    await endpoint.fetch(asked(slow, session));
    const first = endpoint.finish();
    expect([first.failed, endpoint.finish(), endpoint.hasEnded]).toEqual([false, first, true]);
    const late = await endpoint.fetch(asked(slow, session));
    expect(late.status).toBe(410);
    expect(((await late.json()) as { error: { message: string } }).error.message).toMatch(
      /Cannot take tools\/call for .*: finish\(\) has ended it\. \[ENDPOINT_ENDED\]\n {2}Begin anew .*reset\(\)/,
    );
    expect(endpoint.finish().findings.at(-1)?.kind).toBe('ended');
    expect(endpoint.finish().failed).toBe(true);
    expect(endpoint.received('tools/call')).toHaveLength(1);
    endpoint.reset();
    expect(endpoint.finish().findings.map(({ kind }) => kind)).toEqual(['unused']);
  });

  it('refuses a stream after its end, but lets a session be deleted', async () => {
    const { endpoint, session } = await open();
    await endpoint.fetch(asked(slow, session));
    endpoint.finish();
    const headers = { accept: 'text/event-stream', 'mcp-session-id': session };
    const ask = (method: string) => endpoint.fetch(new Request('http://mock.test/mcp', { method, headers }));
    expect([(await ask('GET')).status, (await ask('DELETE')).status]).toEqual([410, 200]);
    expect(endpoint.finish().failed).toBe(false);
    expect((await endpoint.fetch(new Request('http://mock.test/mcp', { method: 'POST', body: '{' }))).status).toBe(410);
    expect(endpoint.finish().findings.at(-1)?.text).toContain('Cannot take a POST for');
  });
});

describe('an endpoint', () => {
  it('answers with JSON where nothing goes before the answer', async () => {
    const { opened } = await open();
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await opened.json()).toMatchObject({ id: ids - 1, result: { serverInfo: { name: 's' } } });
  });

  it('answers event by event where something does, in the ids of the client', async () => {
    const { clock, endpoint, session } = await open();
    const response = await endpoint.fetch(asked(slow, session));
    // What belongs to no request waits for a client that listens.
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    // A comment comes first, so that a client has the head before there is anything to say.
    expect((await reader.read()).value).toBe(':\n\n');
    const first = await reader.read();
    expect(dataOf(first.value!)).toMatchObject({ params: { progressToken: 'mine', progress: 1 } });
    clock.advance(60_000);
    expect(dataOf((await reader.read()).value!)).toMatchObject({ id: ids - 1, result: { content: [] } });
    expect((await reader.read()).done).toBe(true);
    expect(endpoint.received().map(({ method }) => method)).toEqual(['initialize', 'tools/call']);
    expect(endpoint.finish().failed).toBe(false);
  });

  it('says on the stream that a client listens on what belongs to no request', async () => {
    const { endpoint, session } = await open();
    const headers = { accept: 'text/event-stream', 'mcp-session-id': session };
    const listening = await endpoint.fetch(new Request('http://mock.test/mcp', { headers }));
    endpoint.finish();
    expect(await heard(listening)).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
  });

  it('lets go a client that gives up, before and after the answer has begun', async () => {
    const { endpoint, session } = await open();
    const late = new AbortController();
    const response = await endpoint.fetch(asked(slow, session, late.signal));
    late.abort();
    await expect(response.text()).rejects.toThrow('aborted');
    await expect(endpoint.fetch(asked(slow, session, AbortSignal.abort()))).rejects.toThrow('aborted');
  });

  it('lets go a client that leaves a stream unread', async () => {
    const { clock, endpoint, session } = await open();
    const response = await endpoint.fetch(asked(slow, session));
    await response.body!.cancel();
    clock.advance(60_000);
    endpoint.finish();
  });

  it('knows no session that it has not issued, or that was ended', async () => {
    const { endpoint, session } = await open();
    expect((await endpoint.fetch(asked(slow, 'a-guess'))).status).toBe(404);
    const headers = { 'mcp-session-id': session };
    const ended = await endpoint.fetch(new Request('http://mock.test/mcp', { method: 'DELETE', headers }));
    expect(ended.status).toBe(200);
    expect((await endpoint.fetch(asked(slow, session))).status).toBe(404);
  });

  it('refuses what is no request of MCP', async () => {
    const { endpoint } = await open();
    const post = (body: string) =>
      endpoint.fetch(
        new Request('http://mock.test/mcp', {
          method: 'POST',
          body,
          headers: { accept: '*/*', 'content-type': 'application/json' },
        }),
      );
    expect((await post('{')).status).toBe(400);
    expect((await post('7')).status).toBe(400);
    expect((await endpoint.fetch(new Request('http://mock.test/mcp', { method: 'PUT' }))).status).toBe(405);
  });

  it.each([
    ['after an event', '- sse: { event: note, data: x }\n  stream: 1\n'],
    ['before anything', ''],
  ])('fails the body of an answer whose connection the recorded server lost %s', async (_, before) => {
    const file = join(temporaryFolder(), 'lost.yaml');
    const asks = JSON.stringify({ jsonrpc: '2.0', id: 0, ...initialize });
    const events = `- client: ${asks}\n  stream: 1\n${before}- close: server\n  stream: 1\n  how: rst\n`;
    const head = 'format: mcp-record/1\ntransport: http\nurl: http://127.0.0.1:1/mcp\nevents:\n';
    writeFileSync(file, head + events);
    const response = await openEndpoint(file).fetch(asked(initialize));
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
