import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { repeatOf } from '../../protocol/method-rules.ts';
import type { Player } from '../player/player.ts';
import type { PlayedRun } from '../player/player-options.ts';
import type { CassetteSelector } from './cassette-selector.ts';
import type { HttpCassette } from './http-cassette.ts';
import { type MessageHandler, type PlaybackContext, startPlayer } from './message-handler.ts';

interface Part {
  cassette: HttpCassette;
  player: Player;
  /** Frames sent before the client's first message. */
  opening: Opening[];
  /** Whether a request had no unused answer in this cassette. */
  isShort: boolean;
}

interface Opening {
  frame: Frame;
  recorded?: SessionEntry | undefined;
}

/** Stream number of messages repeated to a new player. Their answers were already sent, so they are dropped. */
const PAST = 0;

/**
 * Plays one of several cassettes to a session's client. The requests up to the first tool call select the cassette. Until then the best candidate answers, and
 * a newly selected cassette is sent the earlier messages again. If a later request is missing, another cassette that contains all requests takes over, unless
 * an answer is pending.
 */
export class CassetteSwitchingPlayer implements MessageHandler {
  readonly #repertoire: CassetteSelector;
  readonly #craft: PlaybackContext;
  /** The active playback. */
  #part: Part | undefined;
  /** Texts of the frames sent before the client's first message. */
  readonly #opened: string[] = [];
  #heard: JsonText[] = [];
  #isSpokenTo = false;
  #isSettled = false;

  constructor(repertoire: CassetteSelector, craft: PlaybackContext) {
    this.#repertoire = repertoire;
    this.#craft = craft;
    this.#cast(this.#audition(repertoire.choose([]), []));
  }

  hear(json: JsonText, stream: number): void {
    for (const one of elementsOf(json)) {
      if (!this.#isSettled) this.#consider(one);
      this.#isSpokenTo = true;
      this.#part!.player.hear(this.#frame(one, stream));
      if (this.#repertoire.size > 1) this.#heard.push(one);
    }
  }

  done(): void {}

  faulted(fired: Fired): void {
    this.#part?.player.faulted(fired);
  }

  get runs(): PlayedRun[] {
    return this.#part && this.#isSpokenTo ? [this.#part.player.run] : [];
  }

  finish(): void {
    const part = this.#part;
    // A client that sent no message does not count as a run.
    if (!this.#isSpokenTo) this.#part = undefined;
    part?.player.finish();
  }

  #consider(json: JsonText): void {
    const { value } = json;
    if (!this.#isSpokenTo || isRequest(value)) {
      const cassette = this.#repertoire.choose([...this.#heard, json].filter(isAsked));
      if (cassette !== this.#part?.cassette) this.#cast(this.#audition(cassette, this.#heard));
    }
    this.#isSettled = isRequest(value) && value.method !== 'initialize' && repeatOf(value.method) === 'once';
    if (this.#isSettled) this.#repertoire.give(this.#part!.cassette);
  }

  /** Switches to a cassette with `json` and all earlier requests. Returns whether there is one. */
  #recast(json: JsonText, stream?: number): boolean {
    const { cassette: former, player } = this.#part!;
    if (!this.#isSettled || player.isServing) return false;
    const all = [...this.#heard, json];
    const isFit = (cassette: HttpCassette) => {
      const trial = this.#audition(cassette, all);
      trial.player.finish();
      return !trial.isShort;
    };
    const cassette = this.#repertoire.having(all.filter(isAsked)).find((one) => one !== former && isFit(one));
    if (cassette === undefined) return false;
    this.#cast(this.#audition(cassette, this.#heard));
    this.#repertoire.give(cassette, former);
    this.#part!.player.hear(this.#frame(json, stream));
    return true;
  }

  #cast(part: Part): void {
    const former = this.#part;
    this.#part = part;
    former?.player.finish();
    // Cassettes of one server start alike. Common opening frames are sent once.
    const told = [...this.#opened];
    for (const { frame, recorded } of part.opening.splice(0)) {
      const text = frame.kind === 'message' ? frame.json.text : frame.kind;
      const at = told.indexOf(text);
      if (at >= 0) told.splice(at, 1);
      else {
        this.#opened.push(text);
        this.#craft.say(frame, recorded);
      }
    }
  }

  /** Creates a playback that has received `heard`. Its frames are dropped until the playback is active and up to date. */
  #audition(cassette: HttpCassette, heard: readonly JsonText[]): Part {
    const { say, report, finished } = this.#craft;
    const isHeard = (frame: Frame) => part === this.#part && !('stream' in frame && frame.stream === PAST);
    let isOpening = true;
    const part: Part = {
      cassette,
      opening: [],
      isShort: false,
      player: startPlayer(
        cassette,
        {
          ...this.#craft,
          say: (frame, recorded) => {
            if (isOpening) part.opening.push({ frame, recorded });
            else if (isHeard(frame)) say(frame, recorded);
          },
          report: (finding) => part === this.#part && report(finding),
          finished: (run) => part === this.#part && finished?.(run),
        },
        {
          elsewhere: (live, stream) => {
            if (part === this.#part) return this.#recast(live, stream);
            part.isShort = true;
            return true;
          },
        },
      ),
    };
    part.player.start();
    isOpening = false;
    for (const json of heard) part.player.hear(this.#frame(json, PAST));
    return part;
  }

  #frame(json: JsonText, stream?: number): Frame {
    return {
      kind: 'message',
      at: this.#craft.clock.now(),
      from: 'client',
      json,
      ...(stream !== undefined && { stream }),
    };
  }
}

function isAsked({ value }: JsonText): boolean {
  return isRequest(value);
}
