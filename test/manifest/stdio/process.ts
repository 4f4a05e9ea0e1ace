import { join } from 'node:path';
import { loadCassette } from '../../../src/cassette/load.ts';
import { TapeFile } from '../../../src/cassette/tape-file.ts';
import type { Cassette } from '../../../src/cassette/types.ts';
import { pair } from '../../../src/channel/pair.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { type RecordEnd, recordStdio } from '../../../src/record/record-stdio.ts';
import { Recorder } from '../../../src/record/recorder.ts';
import { redactAgain } from '../../../src/record/redact-again.ts';
import type { Reply } from '../../../src/replay/era.ts';
import type { Finding } from '../../../src/replay/finding.ts';
import { type Ending, serveStdio } from '../../../src/replay/serve-stdio.ts';
import { type Driven, drive } from '../../../src/verify/drive.ts';
import { overStdio } from '../../../src/verify/drive-stdio.ts';
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
