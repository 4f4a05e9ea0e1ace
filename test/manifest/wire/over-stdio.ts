import { join } from 'node:path';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import { memoryPair } from '../../../src/channel/memory-pair.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { redactFinished } from '../../../src/record/redact-file/redact-finished.ts';
import { recordStdio } from '../../../src/record/stdio/record-stdio.ts';
import { StdioRecorder } from '../../../src/record/stdio/stdio-recorder.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';
import { stripHttp } from '../../../src/replay/prepare/strip-http.ts';
import { serveStdio } from '../../../src/replay/serve-stdio.ts';
import { liveServerOverChannel as liveOverStdio } from '../../../src/verify/run/live-server-over-channel.ts';
import { runRecordedClient } from '../../../src/verify/run/run-recorded-client.ts';
import { Inbox } from './inbox.ts';
import { stdioPeer } from './stdio-peers.ts';
import type { Wire } from './wire.ts';

const fail = (error: unknown) => {
  throw error;
};

/** Lines over the bytes of two ends in memory. */
export const overStdio: Wire = {
  async record(folder, redactor) {
    const [near, parent] = memoryPair();
    const [child, far] = memoryPair();
    const client = stdioPeer('client', near);
    const recorder = new StdioRecorder({
      open: () => new CassetteFile(join(folder, 'stdio.yaml')),
      clock,
      gap: 'none',
      ...(redactor && { redactor }),
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
      client,
      server: stdioPeer('server', far),
      async cassette() {
        await client.close();
        await ended;
        recorder.end('complete');
        return loadCassette(recorder.path!);
      },
    };
  },

  async serve(cassette, ignore = []) {
    const [near, channel] = memoryPair();
    const client = stdioPeer('client', near);
    const findings: Finding[] = [];
    const ended = serveStdio({
      cassette: stripHttp(cassette),
      channel,
      clock,
      ignore,
      report: (finding) => void findings.push(finding),
    });
    return {
      client,
      server: { inbox: new Deaf() },
      async findings() {
        await client.close();
        await ended;
        return findings;
      },
    };
  },

  async drive(cassette, redaction) {
    const [channel, far] = memoryPair();
    const server = stdioPeer('server', far);
    const driven = runRecordedClient({ cassette, server: liveOverStdio(channel, clock), clock, redaction });
    return { server, driven, async [Symbol.asyncDispose]() {} };
  },
};

/** What is written to a pipe arrives in its order, so that there is nothing to wait for. */
class Deaf extends Inbox {
  constructor() {
    super('mock server');
  }
  override async take(): Promise<void> {}
}
