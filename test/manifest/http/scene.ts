import { expect } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Headers } from '../../../src/channel/frame.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { liveHttpServer } from '../../../src/verify/run/live-http-server.ts';
import { runRecordedClient } from '../../../src/verify/run/run-recorded-client.ts';
import { inFolder } from '../folder.ts';
import { NOTES } from '../show.ts';
import { recordHttp, serveHttp } from '../wire/http-ends.ts';
import { type Answering, answering, said } from './answering.ts';
import { type Asking, asking } from './asking.ts';
import type { Exchange } from './exchange.ts';

type Script = readonly Exchange[];

const PATIENCE = 5_000;

/** A client and a server do what the script says through a recorder, which changes nothing. Its cassettes. */
export async function recorded(script: Script): Promise<Cassette[]> {
  const server = await answering(script);
  try {
    return await inFolder(async (folder) => {
      const recording = await recordHttp(server.url, folder);
      await askAll(script, asking(recording.url), server);
      expect(server.asked, 'the server is asked all of it').toEqual(script.map(said));
      return recording.cassettes();
    });
  } finally {
    await server.close();
  }
}

/** A recorder turns away what a client asks, as a server would: the server hears nothing of it. */
export async function turnedAway(refused: Exchange): Promise<void> {
  const server = await answering([]);
  const troubles: Error[] = [];
  await inFolder(async (folder) => {
    const recording = await recordHttp(server.url, folder, (error) => void troubles.push(error));
    await askAll([refused], asking(recording.url));
    await recording.cassettes();
  });
  await server.close();
  expect([server.asked, troubles.length]).toEqual([[], 1]);
}

/** A client is answered by the mock server of the cassettes as by the server. */
export async function served(script: Script, cassettes: readonly Cassette[]): Promise<void> {
  const serving = await serveHttp(cassettes);
  await askAll(script, asking(serving.url));
  await serving.close();
  // Whom the script refuses, the mock server reports.
  const refusals = new Set(script.map(({ answer }) => `refused with HTTP ${answer.status}`));
  const isRefusal = (text: string) => refusals.has(/refused with HTTP \d+/.exec(text)?.[0] ?? '');
  const findings = serving.findings.filter(({ kind, text }) => !NOTES.has(kind) && !isRefusal(text));
  expect(findings, 'the mock server misses nothing').toEqual([]);
}

/** A server is asked by the mock client of a cassette what it was asked by the client, with the same headers, or `headers`. */
export async function driven(script: Script, tape: Cassette, headers: Headers = {}): Promise<void> {
  const server = await answering(script);
  try {
    const live = liveHttpServer({ upstream: parseUpstream(server.url), clock, headers, patience: PATIENCE });
    const { findings, unanswered } = await runRecordedClient({ cassette: tape, server: live, clock });
    expect(server.asked, 'the server is asked the same').toEqual(script.map(said));
    expect([findings, unanswered], 'the mock client misses nothing').toEqual([[], []]);
    await Promise.all(script.filter(({ leaves }) => leaves).map(server.left));
  } finally {
    await server.close();
  }
}

/** In all three roles. */
export async function inEveryRole(script: Script): Promise<void> {
  const cassettes = await recorded(script);
  await served(script, cassettes);
  await driven(script, cassettes[0]!);
}

async function askAll(script: Script, client: Asking, server?: Answering): Promise<void> {
  try {
    for (const exchange of script) {
      const { method, leaves, answer } = exchange;
      expect(await client.ask(exchange), `what ${method} is answered`).toEqual(answer);
      if (leaves) await server?.left(exchange);
    }
  } finally {
    client.close();
  }
}
