import type { Frame } from '../channel/frame.ts';
import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { repeatOf } from '../protocol/methods.ts';
import type { HttpTape } from './http-tape.ts';
import { type Performer, playerOf, type Stagecraft } from './performer.ts';
import type { Player } from './player.ts';
import type { Repertoire } from './repertoire.ts';

interface Part {
  tape: HttpTape;
  player: Player;
  /** It was asked for what it does not have, or not any more. */
  isShort: boolean;
}

/** What is said in it again, for a player that came later, was answered before. */
const PAST = 0;

/**
 * Plays one of several tapes to the client of a session. Which one, shows what it asks for up to its first call;
 * meanwhile a likely one answers, and the one that it turns out to be is told what was said so far. Where that lacks
 * what is asked later, another that has all of it takes its place, unless an answer is still to come.
 */
export class Casting implements Performer {
  readonly #repertoire: Repertoire;
  readonly #craft: Stagecraft;
  /** The one that is heard, of all that were tried. */
  #part: Part | undefined;
  #heard: JsonText[] = [];
  #isSettled = false;

  constructor(repertoire: Repertoire, craft: Stagecraft) {
    this.#repertoire = repertoire;
    this.#craft = craft;
  }

  hear(json: JsonText, stream: number): void {
    for (const one of elementsOf(json)) {
      if (!this.#isSettled) this.#consider(one);
      this.#part!.player.hear(this.#frame(one, stream));
      if (this.#repertoire.size > 1) this.#heard.push(one);
    }
  }

  done(): void {}

  finish(): void {
    this.#part?.player.finish();
  }

  #consider(json: JsonText): void {
    const { value } = json;
    if (this.#part === undefined || isRequest(value)) {
      const tape = this.#repertoire.choose([...this.#heard, json].filter(isAsked));
      if (tape !== this.#part?.tape) this.#cast(this.#audition(tape, this.#heard));
    }
    this.#isSettled = isRequest(value) && value.method !== 'initialize' && repeatOf(value.method) === 'once';
    if (this.#isSettled) this.#repertoire.give(this.#part!.tape);
  }

  /** Gives `json`, which the session's tape lacks, to one that has it and all before it: true where there is one. */
  #recast(json: JsonText, stream?: number): boolean {
    const { tape: former, player } = this.#part!;
    if (!this.#isSettled || player.isServing) return false;
    const all = [...this.#heard, json];
    const isFit = (tape: HttpTape) => {
      const trial = this.#audition(tape, all);
      trial.player.finish();
      return !trial.isShort;
    };
    const tape = this.#repertoire.having(all.filter(isAsked)).find((one) => one !== former && isFit(one));
    if (tape === undefined) return false;
    this.#cast(this.#audition(tape, this.#heard));
    this.#repertoire.give(tape, former);
    this.#part!.player.hear(this.#frame(json, stream));
    return true;
  }

  #cast(part: Part): void {
    const former = this.#part;
    this.#part = part;
    former?.player.finish();
  }

  /** A player of `tape` that was told `heard`. It is silent until it has the part, and has answered all that by then. */
  #audition(tape: HttpTape, heard: readonly JsonText[]): Part {
    const { say, report, finished } = this.#craft;
    const isHeard = (frame: Frame) => part === this.#part && !('stream' in frame && frame.stream === PAST);
    const part: Part = {
      tape,
      isShort: false,
      player: playerOf(
        tape,
        {
          ...this.#craft,
          say: (frame, recorded) => isHeard(frame) && say(frame, recorded),
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
