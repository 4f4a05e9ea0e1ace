import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Request } from '../../protocol/message.ts';
import type { RepeatOption } from '../../protocol/method-table.ts';
import type { Finding } from '../findings/finding.ts';
import type { ResultOrError } from '../match/protocol-generation.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { Timing } from '../timing.ts';
import type { ReturnedValueRewriter } from '../tokens/returned-values.ts';
import type { TokenRule } from '../tokens/token-locations.ts';

/** A live message with its recorded counterpart. */
export interface ReceivedMessage {
  recorded: SessionEntry | undefined;
  live: JsonText;
  /** The recorded request that `live` answers. */
  request?: SessionEntry;
}

export interface PlayerOptions {
  plan: ReplayPlan;
  /** The cassette's name, for messages. */
  file: string;
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Ignore[];
  /** User-defined tokens, in addition to those of the protocol. */
  handles?: readonly TokenRule[];
  /** Values that the live server made up and that the played client sends. */
  returned?: ReturnedValueRewriter;
  /** Recorded response to `server/discover` in another cassette. */
  discovered?: ResultOrError;
  /**
   * Reuse of recorded answers. `last` repeats every answer, unless its event states otherwise. Absent: depends on the
   * method.
   */
  repeat?: RepeatOption | undefined;
  /** Whether faults may be injected into sent frames: see {@link Player.faulted}. */
  hasFaults?: boolean;
  /** Whether messages of several clients come, which cannot be told apart. */
  hasSeveralClients?: boolean;
  /** Maximum wait of a frame for its dependencies. Absent: unlimited. */
  patience?: Milliseconds;
  /** Minimum time between progress of a request and its response. Absent: none. */
  progressGap?: Milliseconds;
  /** Whether the cassette was written by hand. Missing answers are then inferred. */
  isHandWritten?: boolean;
  /**
   * Sends a frame of the played side to the live peer. Its `stream` is the live exchange on the server side, and the
   * recorded stream on the client side. `recorded` is absent for frames missing in the cassette.
   */
  send(frame: Frame, recorded?: SessionEntry): void;
  /** Called immediately with each finding. */
  report(finding: Finding): void;
  /**
   * Called with each live request missing in the cassette, its live exchange, and the finding about it. Returns true if
   * the request is answered elsewhere: the finding is then not reported.
   */
  answerMissing?(live: JsonText, stream: number | undefined, finding: Finding): boolean;
  /**
   * Returns advice about a request that the cassette lacks, without a full stop, because a choice follows. Absent: the
   * advice is to correct the cassette, such as by recording the session again.
   */
  missAdvice?(request: Request): string;
  /** Called with every live response and notification, and with each matched request before its answer. */
  heard?(heard: ReceivedMessage): void;
  /**
   * Reports whether a handler answered this recorded request in place of the cassette. The request then counts as used.
   */
  isHandled?(recorded: JsonText): boolean;
  /** Called at the end with the list of unused requests, which may be empty. */
  finished?(run: PlayedRun): void;
}

/** A finished playback of a cassette. */
export interface PlayedRun {
  /** The cassette's name. */
  file: string;
  /** Plan of the whole cassette, or of one session. */
  plan: ReplayPlan;
  /** Recorded requests that never arrived. */
  unused: readonly SessionEntry[];
  /** Recorded placeholders for which live values were taken, without a comparison. */
  placeholders?: readonly string[];
}
