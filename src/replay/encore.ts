import type { Frame } from '../channel/frame.ts';
import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import type { HttpTape } from './http-tape.ts';
import { type Performer, playerOf, type Stagecraft } from './performer.ts';
import type { Player } from './player.ts';

/** One time that a tape is played. */
interface Run {
  tape: HttpTape;
  player: Player;
  /** It has answered something. */
  isUsed: boolean;
  /** It was asked for what it does not have, or not any more. */
  isShort: boolean;
  /** Live exchanges that it answers. */
  streams: Set<number>;
}

/**
 * Plays tapes without sessions to clients that nothing tells apart: what one run of a tape does not have any more, the
 * next has. A run goes on as long as an exchange of it is open.
 */
export class Encore implements Performer {
  readonly #tapes: readonly HttpTape[];
  readonly #craft: Stagecraft;
  /** In the order in which they are asked. */
  #runs: Run[] = [];
  /** Nobody else has it: the run that is asked says so itself. */
  #isLast = false;

  constructor(tapes: readonly HttpTape[], craft: Stagecraft) {
    this.#tapes = tapes;
    this.#craft = craft;
  }

  hear(json: JsonText, stream: number): void {
    for (const one of elementsOf(json)) this.#hear(one, stream);
  }

  done(stream: number): void {
    for (const { streams } of this.#runs) streams.delete(stream);
  }

  finish(): void {
    for (const { player } of this.#runs) player.finish();
  }

  #hear(json: JsonText, stream: number): void {
    const current = this.#runs.find(({ streams }) => streams.has(stream)) ?? this.#runs.at(-1);
    if (!isRequest(json.value))
      return (current ?? this.#begin(this.#tapes[0]!)).player.hear(this.#frame(json, stream));
    for (const run of this.#willing()) if (this.#answers(run, json, stream)) return;
    this.#isLast = true;
    this.#answers(this.#runs[0]!, json, stream);
    this.#isLast = false;
  }

  /** The runs that there are, and then one more of each tape that has none at its beginning. */
  *#willing(): Generator<Run> {
    yield* [...this.#runs];
    for (const tape of this.#tapes)
      if (this.#runs.every((run) => run.tape !== tape || run.isUsed)) yield this.#begin(tape);
  }

  #answers(run: Run, json: JsonText, stream: number): boolean {
    run.isShort = false;
    run.streams.add(stream);
    run.player.hear(this.#frame(json, stream));
    if (run.isShort) run.streams.delete(stream);
    else run.isUsed = true;
    return !run.isShort;
  }

  #begin(tape: HttpTape): Run {
    const elsewhere = () => {
      run.isShort = true;
      return !this.#isLast;
    };
    const player = playerOf(tape, this.#craft, { elsewhere });
    const run: Run = { tape, player, isUsed: false, isShort: false, streams: new Set() };
    this.#runs = this.#runs.filter((other) => other.tape !== tape || other.streams.size > 0);
    this.#runs.push(run);
    return run;
  }

  #frame(json: JsonText, stream: number): Frame {
    return { kind: 'message', at: this.#craft.clock.now(), from: 'client', json, stream };
  }
}
