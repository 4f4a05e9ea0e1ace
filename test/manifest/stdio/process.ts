import { join } from 'node:path';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { TapeFile } from '../../../src/cassette/write/cassette-file.ts';
import { pair } from '../../../src/channel/memory-pair.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { redactAgain } from '../../../src/record/redact-file/redact-finished.ts';
import { type RecordEnd, recordStdio } from '../../../src/record/stdio/record-stdio.ts';
import { Recorder } from '../../../src/record/stdio/stdio-recorder.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import type { Reply } from '../../../src/replay/match/protocol-generation.ts';
import { type Ending, serveStdio } from '../../../src/replay/serve-stdio.ts';
import { overStdio } from '../../../src/verify/run/live-stdio-server.ts';
import { type Driven, drive } from '../../../src/verify/run/run-recorded-client.ts';
import { type RawEnd, rawEnd } from './raw-end.ts';

const fail = (error: unknown) => {
  throw error;
};

/** A client and a server with a recorder between them. */
export interface RecordedProcess {
  client: RawEnd;
  server: RawEnd;
  ended: Promise<RecordEnd>;
  /** The tape, once the server has ended. */
  tape(): Promise<Cassette>;
}

export function recordProcess(folder: string): RecordedProcess {
  const [near, parent] = pair();
  const [child, far] = pair();
  const open = () => new TapeFile(join(folder, 'stdio.yaml'));
  const recorder = new Recorder({ open, clock: systemClock, gap: 'none', redactAgain, failed: fail });
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

/** A client, and the mock server of a tape. */
export interface ServedProcess {
  client: RawEnd;
  ended: Promise<Ending>;
  findings: Finding[];
}

export function serveProcess(cassette: Cassette, discovered?: Reply): ServedProcess {
  const [near, channel] = pair();
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

/** A server, and the mock client of a tape. */
export interface DrivenProcess {
  server: RawEnd;
  driven: Promise<Driven>;
}

export function driveProcess(cassette: Cassette, clock: Clock = systemClock): DrivenProcess {
  const [channel, far] = pair();
  const server = rawEnd('server', far);
  return { server, driven: drive({ cassette, server: overStdio(channel, clock), clock }) };
}
