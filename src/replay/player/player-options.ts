import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { RepeatOption } from '../../protocol/method-rules.ts';
import type { Finding } from '../findings/finding.ts';
import type { ResultOrError } from '../match/protocol-generation.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { Timing } from '../timing.ts';
import type { TokenRule } from '../tokens/token-locations.ts';

/** A live answer or notification with the recorded entry that it stands for. */
export interface ReceivedMessage {
  recorded: SessionEntry | undefined;
  live: JsonText;
  /** Where `live` is an answer: the recorded request that it answers. */
  request?: SessionEntry;
}

export interface PlayerOptions {
  plan: ReplayPlan;
  /** The cassette's name, for messages. */
  file: string;
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Ignore[];
  /** The user's own handles, beside those of the protocol. */
  handles?: readonly TokenRule[];
  /** The recorded answer to `server/discover`, where it lies in another cassette. */
  discovered?: ResultOrError;
  /** `last`: every answer repeats, unless its event says otherwise. Absent: as the protocol has it for the method. */
  repeat?: RepeatOption | undefined;
  /** Faults may be injected into what is said: see {@link Player.faulted}. */
  hasFaults?: boolean;
  /** How long a frame waits for what it needs; absent: for ever. */
  patience?: Milliseconds;
  /** No recorder wrote the cassette: absent answers are inferred. */
  isHandWritten?: boolean;
  /**
   * Says a frame of the played side to the live peer. Its `stream` is, as server, the live exchange of the request
   * that it belongs to, and, as client, the recorded one. `recorded` is absent where the cassette does not have it.
   */
  say(frame: Frame, recorded?: SessionEntry): void;
  /** Told at once of everything that a person must hear of. */
  report(finding: Finding): void;
  /** Offered each live request that the cassette does not have, and its live exchange: true where somebody else answers it. */
  elsewhere?(live: JsonText, stream?: number): boolean;
  /** Called with every live answer and notification, and its recorded entry. */
  heard?(heard: ReceivedMessage): void;
  /** Whether a recorded request was answered in place of the cassette, so that it need not come. */
  isHandled?(recorded: JsonText): boolean;
  /** Told at the end which recorded requests never came, be it none. */
  finished?(run: PlayedRun): void;
}

/** A cassette that was played to its end. */
export interface PlayedRun {
  /** The cassette's name. */
  file: string;
  /** What was played: the cassette, or one session of it. */
  plan: ReplayPlan;
  /** The recorded requests that never came. */
  unused: readonly SessionEntry[];
}
