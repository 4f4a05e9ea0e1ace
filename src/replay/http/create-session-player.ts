import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { RepeatOption } from '../../protocol/method-table.ts';
import type { Finding } from '../findings/finding.ts';
import { Player } from '../player/player.ts';
import type { PlayedRun, PlayerOptions } from '../player/player-options.ts';
import type { Timing } from '../timing.ts';
import type { HttpCassette } from './http-cassette.ts';

/** Player of cassettes for the clients of one session. */
export interface SessionPlayer {
  /** Cassettes in play, each with its entries not used so far. */
  readonly runs: readonly PlayedRun[];
  /** Handles a message received on the live exchange `stream`. */
  receive(json: JsonText, stream: number): void;
  /** Notes that a live exchange has ended. */
  done(stream: number): void;
  /** Counts a fired fault for every client, like {@link Player.faulted}. */
  faulted(fired: Fired): void;
  finish(): void;
}

/** Settings of a playback, and its outputs. */
export interface PlaybackContext {
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Ignore[];
  repeat?: RepeatOption | undefined;
  hasFaults?: boolean;
  /** Sends a frame on the live exchange of its `stream`. `recorded` is absent for frames missing in the cassette. */
  send(frame: Frame, recorded?: SessionEntry): void;
  /** Receives each frame of a cassette just before the player sends that frame. */
  sent?(frame: Frame, recorded: SessionEntry): void;
  report(finding: Finding): void;
  /** Same option as {@link PlayerOptions.isHandled}. */
  isHandled?(recorded: JsonText): boolean;
  /** Called at the end of each run of a cassette, with its unused entries. */
  finished?(run: PlayedRun): void;
}

/** Creates a player for one cassette without starting it. The player sends its first frame after its owner is ready. */
export function createSessionPlayer(
  { file, plan, discovered, isHandWritten }: HttpCassette,
  context: PlaybackContext,
  more: Partial<PlayerOptions> = {},
): Player {
  return new Player({ ...context, plan, file, isHandWritten, ...(discovered && { discovered }), ...more });
}

/** Returns a function that sends frames, and that first passes the recorded ones to `sent`. */
export function tellingSend(
  send: PlaybackContext['send'],
  { sent }: Pick<PlaybackContext, 'sent'>,
): PlaybackContext['send'] {
  if (sent === undefined) return send;
  return (frame, recorded) => {
    if (recorded) sent(frame, recorded);
    send(frame, recorded);
  };
}
