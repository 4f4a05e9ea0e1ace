import type { Channel } from '../channel/channel.ts';
import type { Fired } from '../faults/engine/fault-injector.ts';
import type { Clock } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import type { Repeat } from '../protocol/methods.ts';
import type { RedactedValue } from '../record/summary/redacted-values.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { Timing } from '../replay/timing.ts';
import type { TokenRule } from '../replay/tokens/opaque-tokens.ts';
import type { Server } from './server-target.ts';

export interface SessionBackendOptions {
  /** Path of the cassette. */
  file: string;
  server?: Server;
  client: Channel;
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Ignore[];
  handles?: readonly TokenRule[];
  repeat?: Repeat | undefined;
  /** Takes secrets out of what is recorded, and out of what is compared with it. Absent: nothing is taken out. */
  redactor?: (() => Redactor) | undefined;
  report(finding: Finding): void;
}

/** What serves a session. */
export interface SessionBackend {
  /** Absent: no cassette is played. Otherwise as {@link Player.faulted}. */
  faulted?(fired: Fired): void;
  /** Ends it. What was recorded becomes the cassette if `isGood`, which is asked when all that can be found was found. */
  end(isGood: () => boolean): Promise<Recorded>;
}

/** What a session has left on the disk. */
export interface Recorded {
  written?: string;
  kept?: string;
  /** What was redacted in what was written. */
  redacted?: readonly RedactedValue[];
  /** What was written, and what was redacted, as sentences. */
  notes?: readonly string[];
}

/** @throws McpRecordError MODE_NEEDS_SERVER */
export function serverOf({ server, file }: SessionBackendOptions): Server {
  if (server) return server;
  throw new McpRecordError({
    code: 'MODE_NEEDS_SERVER',
    what: `Cannot record ${file}`,
    why: 'the session was not told of a live server',
    next: 'Give it a server: { command, args } or { url }, or use mode "replay".',
  });
}
