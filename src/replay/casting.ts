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
  /** Another took its place: nobody hears it any more. */
  isOver: boolean;
}

/** What is said in it again, for a player that came later, was answered before. */
const PAST = 0;

/**
 * Plays one of several tapes to the client of a session. Which one, shows what it asks for up to its first call;
 * meanwhile a likely one answers, and the one that it turns out to be is told what was said so far.
 */
export class Casting implements Performer {
  readonly #repertoire: Repertoire;
  readonly #craft: Stagecraft;
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
      this.#hear(one, stream);
    }
  }

  done(): void {}

  finish(): void {
    this.#part?.player.finish();
  }

  #consider(json: JsonText): void {
    const { value } = json;
    const heard = [...this.#heard, json];
    if (this.#part === undefined || isRequest(value))
      this.#give(this.#repertoire.choose(heard.filter(isAsked)));
    this.#isSettled = isRequest(value) && value.method !== 'initialize' && repeatOf(value.method) === 'once';
    this.#heard = this.#isSettled ? [] : heard;
    if (this.#isSettled) this.#repertoire.give(this.#part!.tape);
  }

  #give(tape: HttpTape): void {
    if (this.#part?.tape === tape) return;
    if (this.#part) this.#part.isOver = true;
    const { say, report } = this.#craft;
    const part: Part = {
      tape,
      isOver: false,
      player: playerOf(tape, {
        ...this.#craft,
        say: (frame) => part.isOver || ('stream' in frame && frame.stream === PAST) || say(frame),
        report: (finding) => part.isOver || report(finding),
      }),
    };
    this.#part = part;
    for (const json of this.#heard) this.#hear(json, PAST);
  }

  #hear(json: JsonText, stream: number): void {
    const at = this.#craft.clock.now();
    const frame: Frame = { kind: 'message', at, from: 'client', json, stream };
    this.#part!.player.hear(frame);
  }
}

function isAsked({ value }: JsonText): boolean {
  return isRequest(value);
}
