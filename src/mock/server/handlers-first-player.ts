import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { PlaybackContext, SessionPlayer } from '../../replay/http/create-session-player.ts';
import type { PlayedRun } from '../../replay/player/player-options.ts';
import { HandlerSession } from '../handler-session.ts';
import type { HandlerSessionOptions } from './handler-session-options.ts';

/** Puts handlers before the player of a cassette, in one session over HTTP. */
export class HandlerPlayer implements SessionPlayer {
  readonly session: HandlerSession;
  readonly #played: SessionPlayer;

  constructor(
    play: (context: Pick<PlaybackContext, 'send'>) => SessionPlayer,
    { send }: Pick<PlaybackContext, 'send'>,
    options: Omit<HandlerSessionOptions, 'send' | 'forward'>,
  ) {
    const { clock } = options;
    this.session = new HandlerSession({
      ...options,
      send: (json, stream) =>
        send({ kind: 'message', at: clock.now(), from: 'server', json, ...(stream !== undefined && { stream }) }),
      forward: (json, stream) => this.#played.receive(json, stream!),
    });
    const isForHandler = (frame: Frame) =>
      frame.kind === 'message' && this.session.fromServer(frame.json, frame.stream);
    this.#played = play({
      send: (frame: Frame, recorded?: SessionEntry) => {
        if (!isForHandler(frame)) send(frame, recorded);
      },
    });
  }

  receive(json: JsonText, stream?: number): void {
    this.session.receive(json, stream);
  }

  done(stream: number): void {
    this.#played.done(stream);
  }

  faulted(fired: Fired): void {
    this.session.faulted();
    this.#played.faulted(fired);
  }

  get runs(): readonly PlayedRun[] {
    return this.#played.runs;
  }

  finish(): void {
    this.session.end();
    this.#played.finish();
  }
}
