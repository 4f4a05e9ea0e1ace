import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { repeatOf } from '../../protocol/method-table.ts';
import type { Player } from '../player/player.ts';
import type { PlayedRun } from '../player/player-options.ts';
import type { CassetteSelector } from './cassette-selector.ts';
import { createSessionPlayer, type PlaybackContext, type SessionPlayer } from './create-session-player.ts';
import type { HttpCassette } from './http-cassette.ts';

interface Playback {
  cassette: HttpCassette;
  player: Player;
  /** Frames sent before the client's first message. */
  opening: Opening[];
  /** Whether a request found no unused answer in this cassette. */
  isShort: boolean;
}

interface Opening {
  frame: Frame;
  recorded?: SessionEntry | undefined;
}

/** Stream number of messages repeated to a new player. Their answers were already sent, so they are dropped. */
const REPEATED = 0;

/**
 * Plays one of several cassettes to a session's client. The requests up to the first tool call select the cassette.
 * Until then the best candidate answers, and a newly selected cassette is sent the earlier messages again. If a later
 * request is missing, another cassette that contains all requests takes over, unless an answer is pending.
 */
export class CassetteByRequestsPlayer implements SessionPlayer {
  readonly #selector: CassetteSelector;
  readonly #context: PlaybackContext;
  /** The active playback. */
  #active: Playback | undefined;
  /** Texts of the frames sent before the client's first message. */
  readonly #sentOpening: string[] = [];
  #received: JsonText[] = [];
  #hasReceived = false;
  #isSettled = false;

  constructor(selector: CassetteSelector, context: PlaybackContext) {
    this.#selector = selector;
    this.#context = context;
    this.#activate(this.#startPlayback(selector.choose([]), []));
  }

  receive(json: JsonText, stream: number): void {
    for (const one of elementsOf(json)) {
      if (!this.#isSettled) this.#selectFor(one);
      this.#hasReceived = true;
      this.#active!.player.receive(this.#frame(one, stream));
      if (this.#selector.size > 1) this.#received.push(one);
    }
  }

  done(): void {}

  faulted(fired: Fired): void {
    this.#active?.player.faulted(fired);
  }

  get runs(): PlayedRun[] {
    return this.#active && this.#hasReceived ? [this.#active.player.run] : [];
  }

  finish(): void {
    const playback = this.#active;
    // A client that sent no message does not count as a run.
    if (!this.#hasReceived) this.#active = undefined;
    playback?.player.finish();
  }

  #selectFor(json: JsonText): void {
    const { value } = json;
    if (!this.#hasReceived || isRequest(value)) {
      const cassette = this.#selector.choose([...this.#received, json].filter(isRequestText));
      if (cassette !== this.#active?.cassette) this.#activate(this.#startPlayback(cassette, this.#received));
    }
    this.#isSettled = isRequest(value) && value.method !== 'initialize' && repeatOf(value.method) === 'once';
    if (this.#isSettled) this.#selector.assign(this.#active!.cassette);
  }

  /** Switches to a cassette that contains `json` and all earlier requests. Returns false if no cassette does. */
  #switchFor(json: JsonText, stream?: number): boolean {
    const { cassette: former, player } = this.#active!;
    if (!this.#isSettled || player.isServing) return false;
    const all = [...this.#received, json];
    const isFit = (cassette: HttpCassette) => {
      const candidate = this.#startPlayback(cassette, all);
      candidate.player.finish();
      return !candidate.isShort;
    };
    const cassette = this.#selector
      .containingAll(all.filter(isRequestText))
      .find((one) => one !== former && isFit(one));
    if (cassette === undefined) return false;
    this.#activate(this.#startPlayback(cassette, this.#received));
    this.#selector.assign(cassette, former);
    this.#active!.player.receive(this.#frame(json, stream));
    return true;
  }

  #activate(playback: Playback): void {
    const former = this.#active;
    this.#active = playback;
    former?.player.finish();
    // Cassettes of one server start alike. Common opening frames are sent once.
    const sentBefore = [...this.#sentOpening];
    for (const { frame, recorded } of playback.opening.splice(0)) {
      const text = frame.kind === 'message' ? frame.json.text : frame.kind;
      const at = sentBefore.indexOf(text);
      if (at >= 0) sentBefore.splice(at, 1);
      else {
        this.#sentOpening.push(text);
        this.#context.send(frame, recorded);
      }
    }
  }

  /**
   * Creates a playback that has received `heard`. Its frames are dropped until the playback is active and up to date.
   */
  #startPlayback(cassette: HttpCassette, heard: readonly JsonText[]): Playback {
    const { send, report, finished } = this.#context;
    const isHeard = (frame: Frame) => playback === this.#active && !('stream' in frame && frame.stream === REPEATED);
    let isOpening = true;
    const playback: Playback = {
      cassette,
      opening: [],
      isShort: false,
      player: createSessionPlayer(
        cassette,
        {
          ...this.#context,
          send: (frame, recorded) => {
            if (isOpening) playback.opening.push({ frame, recorded });
            else if (isHeard(frame)) send(frame, recorded);
          },
          report: (finding) => playback === this.#active && report(finding),
          finished: (run) => playback === this.#active && finished?.(run),
        },
        {
          answerMissing: (live, stream) => {
            if (playback === this.#active) return this.#switchFor(live, stream);
            // A cassette without `initialize` has a default answer to it.
            if (isRequest(live.value) && live.value.method === 'initialize') return false;
            playback.isShort = true;
            return true;
          },
        },
      ),
    };
    playback.player.start();
    isOpening = false;
    for (const json of heard) playback.player.receive(this.#frame(json, REPEATED));
    return playback;
  }

  #frame(json: JsonText, stream?: number): Frame {
    return {
      kind: 'message',
      at: this.#context.clock.now(),
      from: 'client',
      json,
      ...(stream !== undefined && { stream }),
    };
  }
}

function isRequestText({ value }: JsonText): boolean {
  return isRequest(value);
}
