import type { Cassette } from '../cassette/cassette.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { type RecordEnd, type RecordOptions, recordStdio } from '../record/stdio/record-stdio.ts';
import type { Parent } from '../transports/stdio/parent-channel.ts';
import { alignSecrets } from '../verify/compare/equal-placeholders.ts';
import { liveServerOverChannel } from '../verify/run/live-server-over-channel.ts';
import { type RunRecordedClientOptions, runRecordedClient, type ServerRun } from '../verify/run/run-recorded-client.ts';
import { type ClientPast, TakingOverClient } from './client-taking-over.ts';
import { ForkedClient } from './forked-client.ts';
import { FreshClientIds } from './fresh-client-ids.ts';
import { isCall } from './is-call.ts';
import { MadeUpValues } from './made-up-values.ts';
import { playedRules } from './played-rules.ts';
import { PrefixServer, type PrefixServerOptions } from './prefix-server.ts';
import { outlivingServer } from './server-outliving-recorded-client.ts';

export interface ForkOptions
  extends Pick<RecordOptions, 'server' | 'recorder' | 'broken'>,
    Pick<RunRecordedClientOptions, 'clock' | 'ignore' | 'patience' | 'redaction'> {
  /** Cassette up to the fork, as `sessionPrefix` returns it. */
  prefix: Cassette;
  /** Channel to the live client. */
  parent: Parent;
  /** How the recorded server answers the live client up to the fork. Absent: the live client begins there. */
  past?: Omit<PrefixServerOptions, 'clock'> | undefined;
  /** Called with what the server did. Returns whether the live client may go on from there. */
  accept(run: ServerRun): boolean;
  /** Called with what the user of the live client should know. */
  note(text: string): void;
}

/** End of the server. */
export interface ForkEnd {
  end: RecordEnd;
  /** Whether the answers of the server were not accepted. The live client never took over then. */
  isRefused: boolean;
  /** Reason why the live client never reached the fork. Absent: the client reached the fork, or did not start. */
  behind?: ClientBehind;
}

/** State of a live client that never reached the fork. */
export interface ClientBehind {
  why: 'other call' | 'client ended' | 'server ended';
  /** Recorded calls that the live client did not make. */
  owed: readonly SessionEntry[];
}

/**
 * Plays the recorded client to a server, and lets a live client go on with the same connection. Records all of it.
 * @throws McpRecordError if the prefix cannot be played
 */
export async function forkSession(options: ForkOptions): Promise<ForkEnd> {
  const { prefix, parent, past, clock, ignore, patience, redaction, accept, note, ...recording } = options;
  const aborter = new AbortController();
  let hasLeft = false;
  const left = () => {
    hasLeft = true;
    aborter.abort();
  };
  const ids = new FreshClientIds(eventsToEntries(prefix.events));
  const prefixServer =
    past &&
    new PrefixServer({
      ...past,
      clock,
      arrived(unused) {
        ids.adopt(prefixServer!.begun);
        past.arrived(unused);
      },
    });
  const probing = new TakingOverClient({ ids, note });
  const client = new ForkedClient({ parent, probing, past: prefixServer, clock, left });
  if (prefixServer) {
    client.begin(prefixServer);
    const gone = new Promise((resolve) => aborter.signal.addEventListener('abort', resolve));
    await Promise.race([client.server, gone]);
    // No server is started for a client that has left already.
    if (hasLeft)
      return { end: { status: 0 }, isRefused: false, ...(client.hasBegun && behindOf(prefixServer, 'client ended')) };
  }
  const recorder = recording.recorder();
  // The recorded client reacts while an answer is forwarded: an answer that is recorded later would seem to follow.
  const ended = recordStdio({ ...recording, recorder: () => recorder, parent: client, order: 'tap-first' });
  // A server that cannot start says nothing to the recorded client.
  void ended.then(() => aborter.abort());
  const connection = await Promise.race([client.server, ended.then(() => undefined)]);
  if (connection === undefined) return { end: await ended, isRefused: false };
  const endOf = async (isRefused: boolean): Promise<ForkEnd> => {
    const end = await ended;
    const behind = prefixServer && behindOf(prefixServer, hasLeft ? 'client ended' : 'server ended');
    return { end, isRefused, ...behind };
  };
  const recorded = await recorder.catch(() => undefined);
  // A client that makes the played calls itself has to make them in the new cassette, too.
  if (recorded) {
    recorded.isClientPlayed = past === undefined;
    recorded.rulesOf = playedRules(prefix);
  }
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
  if (hasLeft || isRefused) live.close();
  if (run.isAborted || isRefused) return endOf(isRefused);
  if (recorded) {
    recorded.isClientPlayed = false;
    recorded.rulesOf = undefined;
  }
  const next = prefixServer ? { past: clientPast(prefixServer, run, redaction) } : { handshake: server.handshake() };
  client.handOver(new TakingOverClient({ ids, ...next, firstCall: firstCallIn(prefix), note }));
  return endOf(false);
}

/** Returns the reason why the live client never reached the fork. Empty if the client did. `end`: which side ended. */
function behindOf({ hasArrived, isLost, owed }: PrefixServer, end: ClientBehind['why']): Pick<ForkEnd, 'behind'> {
  if (hasArrived || !(isLost || owed.length > 0)) return {};
  return { behind: { why: isLost ? 'other call' : end, owed } };
}

/** Returns the state that the live client received from the recorded server, with the live server's values. */
function clientPast(
  { questionIds }: PrefixServer,
  { exchanges }: ServerRun,
  redaction: ForkOptions['redaction'],
): ClientPast {
  const values = new MadeUpValues(alignSecrets(redaction));
  for (const { request, recorded, live } of exchanges) if (recorded?.json) values.learn(request, recorded.json, live);
  return { values, questionIds };
}

/** Returns the first recorded call. */
function firstCallIn({ events }: Cassette): JsonText | undefined {
  return eventsToEntries(events).find(({ from, message }) => from === 'client' && isRequest(message) && isCall(message))
    ?.json;
}
