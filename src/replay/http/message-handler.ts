import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { RepeatOption } from '../../protocol/method-rules.ts';
import type { Finding } from '../findings/finding.ts';
import { Player } from '../player/player.ts';
import type { PlayedRun, PlayerOptions } from '../player/player-options.ts';
import type { Timing } from '../timing.ts';
import type { HttpCassette } from './http-cassette.ts';

/** What plays cassettes to the clients of one session. */
export interface MessageHandler {
  /** The cassettes that it plays, with what of each has not come until now. */
  readonly runs: readonly PlayedRun[];
  /** Takes a message that came in the live exchange `stream`. */
  hear(json: JsonText, stream: number): void;
  /** A live exchange is over. */
  done(stream: number): void;
  /** As {@link Player.faulted}, for every client. */
  faulted(fired: Fired): void;
  finish(): void;
}

/** How, and to whom, cassettes are played. */
export interface PlaybackContext {
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Ignore[];
  repeat?: RepeatOption | undefined;
  hasFaults?: boolean;
  /** Sends a frame on the live exchange of its `stream`. `recorded` is absent for frames outside the cassette. */
  say(frame: Frame, recorded?: SessionEntry): void;
  report(finding: Finding): void;
  /** As {@link PlayerOptions.isHandled}. */
  isHandled?(recorded: JsonText): boolean;
  /** Told of each run of a cassette, when it is over, which recorded requests never came. */
  finished?(run: PlayedRun): void;
}

/** Creates a player of one cassette without starting it, so that its owner exists before its first frame. */
export function startPlayer(
  { file, plan, discovered, isHandWritten }: HttpCassette,
  craft: PlaybackContext,
  more: Partial<PlayerOptions> = {},
): Player {
  return new Player({ ...craft, plan, file, isHandWritten, ...(discovered && { discovered }), ...more });
}
