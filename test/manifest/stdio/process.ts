import { join } from 'node:path';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import { memoryPair } from '../../../src/channel/memory-pair.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { redactFinished } from '../../../src/record/redact-file/redact-finished.ts';
import { type RecordEnd, recordStdio } from '../../../src/record/stdio/record-stdio.ts';
import { StdioRecorder } from '../../../src/record/stdio/stdio-recorder.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import type { ResultOrError } from '../../../src/replay/match/protocol-generation.ts';
import { type Ending, serveStdio } from '../../../src/replay/serve-stdio.ts';
import { liveServerOverChannel } from '../../../src/verify/run/live-server-over-channel.ts';
import { runRecordedClient, type ServerRun } from '../../../src/verify/run/run-recorded-client.ts';
import { type RawEnd, rawEnd } from './raw-end.ts';

const fail = (error: unknown) => {
  throw error;
};

/** A client and a server with a recorder between them. */
export interface RecordedProcess {
  client: RawEnd;
  server: RawEnd;
  ended: Promise<RecordEnd>;
  /** The cassette, once the server has ended. */
  tape(): Promise<Cassette>;
}

export function recordProcess(folder: string): RecordedProcess {
  const [near, parent] = memoryPair();
  const [child, far] = memoryPair();
  const open = () => new CassetteFile(join(folder, 'stdio.yaml'));
  const recorder = new StdioRecorder({
    open,
    clock: systemClock,
    gap: 'none',
    redactAgain: redactFinished,
    failed: fail,
  });
  const ended = recordStdio({
    server: () => child,
    parent: { ...parent, flushed: (done) => done() },
    recorder: async () => recorder,
    broken: fail,
  });
  return {
    client: rawEnd('client', near),
    server: rawEnd('server', far),
    ended,
    async tape() {
      await ended;
      recorder.end('complete');
      return loadCassette(recorder.path!);
    },
  };
}

/** A client, and the mock server of a cassette. */
export interface ServedProcess {
  client: RawEnd;
  ended: Promise<Ending>;
  findings: Finding[];
}

export function serveProcess(cassette: Cassette, discovered?: ResultOrError): ServedProcess {
  const [near, channel] = memoryPair();
  const findings: Finding[] = [];
  const ended = serveStdio({
    cassette,
    channel,
    clock: systemClock,
    report: (finding) => void findings.push(finding),
    ...(discovered && { discovered }),
  });
  return { client: rawEnd('client', near), ended, findings };
}

/** A server, and the mock client of a cassette. */
export interface DrivenProcess {
  server: RawEnd;
  driven: Promise<ServerRun>;
}

export function driveProcess(cassette: Cassette, clock: Clock = systemClock): DrivenProcess {
  const [channel, far] = memoryPair();
  const server = rawEnd('server', far);
  return { server, driven: runRecordedClient({ cassette, server: liveServerOverChannel(channel, clock), clock }) };
}
