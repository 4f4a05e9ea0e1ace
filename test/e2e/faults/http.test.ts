import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { modern2, streamable1 } from '../http/clients.ts';
import { type Listening, proxy, record, replay, server } from '../http/processes.ts';
import type { Peer } from '../session/peer.ts';

const folder = temporaryFolder();
const cassetteOf = (form: string) => join(folder, `${form}.yaml`);
const forms = ['json', 'sse'];

const count = (peer: Peer) => peer.request('tools/call', { name: 'count', arguments: { to: 2 } }, { progress: true });

beforeAll(async () => {
  for (const form of forms) {
    await using far = await server('sdk-1.js', form);
    await using recorder = await record(far.url, cassetteOf(form));
    const peer = await streamable1(recorder.url);
    await count(peer);
    await peer.close();
    await recorder.stop();
  }
});

/** A server of each form: one that lives, and the same from its cassette. */
interface Servers extends AsyncDisposable {
  url: URL;
  said: string[];
  stop: Listening['stop'];
}

async function live(form: string, ...options: string[]): Promise<Servers> {
  const far = await server('sdk-1.js', form);
  const { url, said, stop, [Symbol.asyncDispose]: end } = await proxy(far.url, ...options);
  return {
    url,
    said,
    stop,
    async [Symbol.asyncDispose]() {
      await end();
      await far[Symbol.asyncDispose]();
    },
  };
}

const replayed = (form: string, ...options: string[]): Promise<Servers> => replay(cassetteOf(form), ...options);

/** What a real client gets of a call, and the progress that it hears of. */
async function counted(peer: Peer): Promise<{ outcome: string; progress: number[] }> {
  const outcome = await count(peer)
    .then((result) => (result as { content: [{ text: string }] }).content[0].text)
    .catch((error: Error) => error.message);
  const progress = peer.heard.messages
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => Number(params?.progress));
  return { outcome, progress };
}

const ALL = { outcome: 'counted to 2', progress: [1, 2] };
const NONE = { outcome: 'counted to 2', progress: [] };

describe.each([
  ['a live server', live],
  ['a replayed server', replayed],
])('a real client of %s', (_, start) => {
  it.each([
    ['nothing wrong', ['--fault', 'drop:x/y'], NONE, ALL],
    ['single bytes', ['--fault', 'slice::size=7,gap=0'], NONE, ALL],
    ['late answers', ['--fault', 'latency::delay=20'], NONE, ALL],
    ['junk between events', ['--fault', 'junk:notifications/progress'], NONE, ALL],
    ['an answer twice', ['--fault', 'duplicate:tools/call'], NONE, ALL],
    [
      'an error',
      ['--fault', 'error-reply:tools/call:code=-32001,message=no'],
      { outcome: 'MCP error -32001: no', progress: [] },
      { outcome: 'MCP error -32001: no', progress: [1, 2] },
    ],
    ['a stream that it resumes', ['--fault', 'resume:tools/call:retry=20'], NONE, ALL],
    [
      'a stream that it resumes, with a message that it had',
      ['--fault', 'resume:tools/call:retry=20', '--fault', 'redeliver:notifications/progress'],
      NONE,
      { outcome: 'counted to 2', progress: [1, 2, 2] },
    ],
  ])('sees %s', async (_name, faults, body, stream) => {
    const seen = [];
    for (const form of forms) {
      await using far = await start(form, '--seed', '1', ...faults);
      const peer = await streamable1(far.url);
      seen.push(await counted(peer));
      await peer.close();
    }
    expect(seen).toEqual([body, stream]);
  });

  it.each([
    ['cut:tools/call', /fetch failed|terminated/],
    ['reset:tools/call', /fetch failed|terminated/],
    ['http-status:tools/call:status=503', /Service Unavailable/],
    ['corrupt:tools/call:kind=framing', /fetch failed|terminated/],
    ['corrupt:tools/call:kind=bad-json', /JSON/],
    ['exit:tools/call', /fetch failed|terminated/],
  ])('is told of %s where its answer should have come', async (fault, error) => {
    await using far = await start('json', '--fault', fault);
    const peer = await streamable1(far.url);
    expect((await counted(peer)).outcome).toMatch(error);
    await peer.close().catch(() => {});
  });

  it('loses its session, and has another when it initializes again', async () => {
    for (const form of forms) {
      await using far = await start(form, '--fault', 'session-lost:tools/call');
      const peer = await streamable1(far.url);
      expect((await counted(peer)).outcome).toMatch(/Session not found/);
      await peer.close().catch(() => {});
      const next = await streamable1(far.url);
      expect((await counted(next)).outcome).toBe('counted to 2');
      await next.close();
    }
  });
});

describe('over HTTP', () => {
  it('a client of 2026-07-28 cancels by closing the stream of its request', async () => {
    await using far = await server('modern.js');
    await using before = await proxy(far.url, '--fault', 'stall:tools/call', '--fault', 'slow-close::for=1');
    const peer = await modern2(before.url);
    const stop = new AbortController();
    const call = peer.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, { signal: stop.signal });
    call.catch(() => {});
    const told = async (line: RegExp) => {
      while (!before.said.some((one) => line.test(one))) await new Promise((turn) => setImmediate(turn));
    };
    await told(/rule 1 fired: stall/);
    stop.abort();
    await told(/rule 2 fired: slow-close/);
    await expect(call).rejects.toThrow();
    await peer.close();
  });

  it('every verb says which rules fired, and fails where one never did, if asked', async () => {
    const options = ['--fault', 'junk:tools/call', '--fault', 'drop:x/y', '--strict-faults', '--seed', '7'];
    for (const start of [live, replayed]) {
      await using far = await start('json', ...options);
      const peer = await streamable1(far.url);
      await counted(peer);
      await peer.close();
      const { status, stderr } = await far.stop();
      expect(stderr).toContain('2 faults, seed 7');
      expect(stderr).toContain('rule 1 fired: junk on message 2 of the server (tools/call)');
      expect(stderr).toContain('rule 2 (drop) never fired');
      expect(status).toBe(1);
    }
  });

  it('the recorder has in its cassette what a faulty server said', async () => {
    await using far = await server('sdk-1.js', 'json');
    const file = join(folder, 'faulty.yaml');
    await using recorder = await record(far.url, file, '--fault', 'error-reply:tools/call:message=no');
    const peer = await streamable1(recorder.url);
    expect((await counted(peer)).outcome).toBe('MCP error -32603: no');
    await peer.close();
    await recorder.stop();
    await using again = await replay(file);
    const next = await streamable1(again.url);
    expect((await counted(next)).outcome).toBe('MCP error -32603: no');
    await next.close();
  });

  it('a recorded client misbehaves towards a live server', async () => {
    await using far = await server('sdk-1.js', 'json');
    const verify = (...options: string[]) =>
      run(mcpRecord('verify', cassetteOf('json'), '--http', far.url.href, ...options));
    expect((await verify('--fault', 'duplicate:tools/call')).status).toBe(0);
    const broken = await verify('--timeout', '500', '--fault', 'corrupt:tools/call:kind=bad-json');
    expect(broken.status).toBe(1);
    expect(broken.stderr.toString()).toContain('rule 1 fired: corrupt on message 3 of the client (tools/call)');
    const refused = await verify('--fault', 'stderr-flood');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('[FAULT_NO_MEANING]')]);
  });
});
