import type { Cassette } from '../cassette/cassette.ts';
import { eventsToEntries } from '../cassette/split-batches-into-entries.ts';
import { type RecordEnd, type RecordOptions, recordStdio } from '../record/stdio/record-stdio.ts';
import type { Parent } from '../transports/stdio/parent-channel.ts';
import { liveServerOverChannel } from '../verify/run/live-server-over-channel.ts';
import { type RunRecordedClientOptions, runRecordedClient, type ServerRun } from '../verify/run/run-recorded-client.ts';
import { TakingOverClient } from './client-taking-over.ts';
import { ForkedClient } from './forked-client.ts';
import { FreshClientIds } from './fresh-client-ids.ts';
import { outlivingServer } from './server-outliving-recorded-client.ts';

export interface ForkOptions
  extends Pick<RecordOptions, 'server' | 'recorder' | 'broken'>,
    Pick<RunRecordedClientOptions, 'clock' | 'ignore' | 'patience' | 'redaction'> {
  /** Cassette up to the fork, as `sessionPrefix` returns it. */
  prefix: Cassette;
  /** Channel to the live client. */
  parent: Parent;
  /** Called with what the server did. Returns whether the live client may go on from there. */
  accept(run: ServerRun): boolean;
  /** Called with what the user of the live client should know. */
  note(text: string): void;
}

/** End of the server. `isRefused`: its answers were not accepted, and the live client never took over. */
export interface ForkEnd {
  end: RecordEnd;
  isRefused: boolean;
}

/**
 * Plays the recorded client to a server, and lets a live client go on with the same connection. Records all of it.
 * @throws McpRecordError if the prefix cannot be played
 */
export async function forkSession(options: ForkOptions): Promise<ForkEnd> {
  const { prefix, parent, clock, ignore, patience, redaction, accept, note, ...recording } = options;
  const aborter = new AbortController();
  let isSignalled = false;
  const signalled = () => {
    isSignalled = true;
    aborter.abort();
  };
  const ids = new FreshClientIds(eventsToEntries(prefix.events));
  const client = new ForkedClient({ parent, probing: new TakingOverClient({ ids, note }), clock, signalled });
  const recorder = recording.recorder();
  // The recorded client reacts while an answer is forwarded: an answer that is recorded later would seem to follow.
  const ended = recordStdio({ ...recording, recorder: () => recorder, parent: client, order: 'tap-first' });
  // A server that cannot start says nothing to the recorded client.
  void ended.then(() => aborter.abort());
  const connection = await Promise.race([client.server, ended.then(() => undefined)]);
  if (connection === undefined) return { end: await ended, isRefused: false };
  const recorded = await recorder.catch(() => undefined);
  if (recorded) recorded.isClientPlayed = true;
  const live = liveServerOverChannel(connection, clock);
  const server = outlivingServer(live, () => client.leave());
  const run = await runRecordedClient({
    cassette: prefix,
    server,
    clock,
    aborted: aborter.signal,
    redaction,
    ...(ignore && { ignore }),
    ...(patience !== undefined && { patience }),
  });
  const isRefused = !run.isAborted && !accept(run);
  if (isSignalled || isRefused) live.close();
  if (run.isAborted || isRefused) return { end: await ended, isRefused };
  if (recorded) recorded.isClientPlayed = false;
  client.handOver(new TakingOverClient({ ids, handshake: server.handshake(), note }));
  return { end: await ended, isRefused: false };
}
