import { LogFile } from '../../cassette/write/log-file.ts';
import type { Channel } from '../../channel/channel.ts';
import type { LineFrame, Side, WireFrame } from '../../channel/frame.ts';
import { lineToMessage } from '../../channel/line-to-message.ts';
import type { Fired, Unchanged } from '../../faults/engine/fault-injector.ts';
import { asksClient } from '../../journal/input-requests.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { LineDecoder } from '../../transports/stdio/line-decoder.ts';
import { attempt } from '../reports/wrap-thrown-error.ts';

/** The log of a mock server started by another process. */
export interface MockProcessLog {
  started(): void;
  /** Logs a finding. `fails`: it fails the run. */
  found(finding: Finding, fails: boolean): void;
  /** Logs a fired rule of the n-th rule set. */
  fired(fired: Fired, set: number): void;
  /** Logs that the fault of a rule of the n-th rule set changed nothing. */
  unchanged(one: Unchanged, set: number): void;
  ended(): void;
  /** Wraps a channel to the client, and logs the client's messages and the server's requests before they pass. */
  overheard(client: Channel): Channel;
}

const NOWHERE: MockProcessLog = {
  started() {},
  found() {},
  fired() {},
  unchanged() {},
  ended() {},
  overheard: (client) => client,
};

/**
 * Returns a log that appends JSON lines: the start and end of this process, its messages and findings.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export function mockProcessLogWriter(path: string | undefined): MockProcessLog {
  if (path === undefined) return NOWHERE;
  const { pid } = process;
  const log = new LogFile(path);
  attempt(() => log.append(''), {
    code: 'USAGE_CANNOT_WRITE',
    what: `Cannot write the findings to ${path}`,
    next: 'Name a new file, or an earlier one of --findings, in a folder that exists and may be written to.',
  });
  const append = (line: object) => log.append(`${JSON.stringify({ pid, ...line })}\n`);
  return {
    started: () => append({ state: 'started' }),
    found({ kind, text, varies, isUsedUp, breaksProtocol, differsAt, entries }, fails) {
      const lines = entries?.map(({ line }) => line);
      append({ kind, text, ...(fails && { fails }), varies, isUsedUp, breaksProtocol, differsAt, lines });
    },
    fired: (fired, set) => append({ fired, set }),
    unchanged: (unchanged, set) => append({ unchanged, set }),
    ended: () => append({ state: 'ended' }),
    overheard: (client) => overheard(client, (from, message) => append({ from, message })),
  };
}

/**
 * Wraps a channel to the client. `tell` is called with the client's messages and the server's requests before they
 * pass.
 */
export function overheard(client: Channel, tell: (from: Side, message: unknown) => void): Channel {
  const hear = (from: Side) => {
    const line = (noise: LineFrame) => {
      const frame = lineToMessage(noise);
      if (frame.kind === 'message' && (from === 'client' || asksClient(frame.json.value))) tell(from, frame.json.value);
    };
    const decoder = new LineDecoder({ from, on: 'protocol', line });
    return (frame: WireFrame) => {
      if (frame.kind === 'bytes' && frame.on === 'protocol') decoder.write(frame.data, frame.at);
    };
  };
  const [said, asked] = [hear('client'), hear('server')];
  return {
    ...client,
    listen: (receive) =>
      client.listen((frame) => {
        said(frame);
        receive(frame);
      }),
    send(frame) {
      asked(frame);
      return client.send(frame);
    },
  };
}
