import type { Channel } from '../channel/channel.ts';
import type { Fired } from '../faults/engine/fault-injector.ts';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import type { JsonText } from '../protocol/json-text.ts';
import type { RepeatOption } from '../protocol/method-table.ts';
import type { RedactedValue } from '../record/summary/redacted-values.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { Timing } from '../replay/timing.ts';
import type { TokenRule } from '../replay/tokens/token-locations.ts';
import type { Server } from './connect-to-server.ts';

export interface SessionBackendOptions {
  /** Path of the cassette. */
  file: string;
  server?: Server;
  client: Channel;
  clock: Clock;
  /** As {@link PlayerOptions.progressGap}. */
  progressGap?: Milliseconds;
  timing?: Timing;
  ignore?: readonly Ignore[];
  handles?: readonly TokenRule[];
  repeat?: RepeatOption | undefined;
  /** Creates the redactor for recordings and comparisons. Absent: nothing is redacted. */
  redactor?: (() => Redactor) | undefined;
  /** False: live answers in mode `new` are not recorded. */
  isAdded?: boolean;
  /** As {@link PlayerOptions.isHandled}. */
  isHandled?(recorded: JsonText): boolean;
  report(finding: Finding): void;
  /**
   * Carries what users wrote into a cassette over to the recording that is about to replace it. Returns sentences on what
   * was not carried over.
   */
  carryOver?:
    | ((replaced: { file: string; recording: string; ignore?: readonly Ignore[] | undefined }) => string[])
    | undefined;
}

/** Serves a session in one of the modes. */
export interface SessionBackend {
  /** As {@link Player.faulted}. Absent: no cassette is played. */
  faulted?(fired: Fired): void;
  /**
   * Ends the session. A recording becomes the cassette if `isGood` returns true. It is called after the last finding.
   */
  end(isGood: () => boolean): Promise<RecordingResult>;
}

/** Files written by a session. */
export interface RecordingResult {
  /** Path of the cassette, if it was written. */
  written?: string;
  /** Path of a recording kept beside the cassette. */
  kept?: string;
  /** Redacted values of the written cassette. */
  redacted?: readonly RedactedValue[];
  /** Number of requests sent to the live server, in mode `new`. */
  asked?: number;
  /** Sentences about the written cassette and its redacted values. */
  notes?: readonly string[];
}

/**
 * Returns the live server.
 * @throws McpRecordError MODE_NEEDS_SERVER
 */
export function requireServer({ server, file }: SessionBackendOptions): Server {
  if (server) return server;
  throw new McpRecordError({
    code: 'MODE_NEEDS_SERVER',
    what: `Cannot record ${file}`,
    why: 'the session has no live server',
    next: 'Give it a server: { command, args } or { url }, or use mode "replay".',
  });
}
