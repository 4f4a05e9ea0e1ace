import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayTransport } from '../../../src/adapters/sdk.ts';
import type { ReplayOutcome } from '../../../src/replay/findings/replay-outcome.ts';
import { client2Over } from '../session/client-2.ts';
import type { Peer, TransportLike } from '../session/peer.ts';
import { runSession } from '../session/run.ts';
import { sdk1Over } from '../session/sdk-1.ts';
import { steps } from '../session/steps.ts';
import { type Transcript, withoutClock } from '../session/transcript.ts';

/** A session of every kind of traffic, recorded over stdio. */
export const cassette: string = join(import.meta.dirname, '..', '..', '..', 'cassettes', 'everything.yaml');

const recorded = steps.filter(({ large }) => !large);

/** A recorded server that an adapter has put somewhere. */
export interface Mocked {
  /** What an SDK client of that generation connects to. Each is a session of its own. */
  transport(generation: 1 | 2): TransportLike;
  /** Where it is, over HTTP. */
  url?: string;
  /** Ends it, and says how it went. */
  end(): Promise<ReplayOutcome>;
}

/** One way to a recorded server. */
export interface Way {
  name: string;
  start(cassette: string): Promise<Mocked>;
  /** More than one client may come. */
  manyClients: boolean;
}

export { overHttp } from './over-http.ts';

/** What every adapter must do: the same session goes the same through each. */
export function contract({ name, start, manyClients }: Way): void {
  describe(name, () => {
    it.each([1, 2] as const)('holds the whole session with a client of SDK %i', async (generation) => {
      const expected = await told(replayTransport(cassette), generation);
      const mocked = await start(cassette);
      expect(await told(mocked.transport(generation), generation)).toEqual(expected);
      const { failed, findings } = await mocked.end();
      expect([failed, findings.filter(({ kind }) => kind === 'miss')]).toEqual([false, []]);
    });

    it('says what it was asked and does not have', async () => {
      const mocked = await start(cassette);
      const peer = await sdk1Over(mocked.transport(1));
      await expect(peer.request('tools/call', { name: 'rain' })).rejects.toThrow('Cannot answer tools/call "rain"');
      await peer.close();
      const { failed, findings } = await mocked.end();
      expect(failed).toBe(true);
      expect(findings.map(({ kind }) => kind)).toContain('miss');
    });

    it.runIf(manyClients)('lets clients go that give up, and serves the next', async ({ skip }) => {
      const mocked = await start(cassette);
      const { url } = mocked;
      if (url === undefined) {
        await mocked.end();
        return skip();
      }
      for (let n = 0; n < 3; n++) await leave(url);
      const peer = await sdk1Over(mocked.transport(1));
      expect(await peer.request('ping')).toEqual({});
      await peer.close();
      const { failed, findings } = await mocked.end();
      expect([failed, findings.filter(({ kind }) => kind === 'miss')]).toEqual([true, []]);
    });

    it.runIf(manyClients)('holds a session with each of several clients at once', async () => {
      const expected = await told(replayTransport(cassette), 1);
      const mocked = await start(cassette);
      const both = await Promise.all([told(mocked.transport(1), 1), told(mocked.transport(1), 1)]);
      for (const one of both) expect(one).toEqual(expected);
      expect((await mocked.end()).failed).toBe(false);
    });
  });
}

/** Opens a session, listens on a stream of it, and gives up. */
async function leave(url: string): Promise<void> {
  const opened = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { elicitation: {}, sampling: {}, roots: {} },
        clientInfo: { name: 'demo-client', version: '1.0.0' },
      },
    }),
  });
  expect(opened.status).toBe(200);
  await opened.text();
  const gone = new AbortController();
  const headers = { accept: 'text/event-stream', 'mcp-session-id': opened.headers.get('mcp-session-id')! };
  const listening = await fetch(url, { headers, signal: gone.signal });
  const reading = listening.text();
  gone.abort();
  await expect(reading).rejects.toThrow('aborted');
}

/** What each step of the session comes to for a client of that generation. */
export async function told(transport: TransportLike, generation: 1 | 2): Promise<unknown> {
  const peer: Peer = await (generation === 1 ? sdk1Over(transport) : client2Over(transport));
  return outcomes(await runSession(peer, recorded));
}

/** What each step came to; what is heard beside depends on how streams interleave. */
function outcomes(transcript: Transcript): unknown {
  return withoutClock(transcript).map(({ step, outcome }) => ({ step, outcome }));
}
