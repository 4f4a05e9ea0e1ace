import type { Move } from '../../cassette/correlate/session-entries.ts';
import type { Frame, MessageFrame } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { identityOf } from '../../match/request-identity.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import type { Player } from '../player/player.ts';
import type { HttpTape } from './http-cassette.ts';
import { type Performer, playerOf, type Stagecraft } from './message-handler.ts';
import { addressed, type Changes, changesOn, type Listener, listenerOf } from './subscription-updates.ts';

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
  /** Identity of a request → how many like it have been answered. */
  served: Map<string, number>;
}

/**
 * Plays tapes without sessions to clients that nothing tells apart: what one run of a tape does not have any more, the
 * next has. A run goes on as long as an exchange of it is open. What a request changes, all are told who listen for it, as
 * a server tells them.
 */
export class Encore implements Performer {
  readonly #tapes: readonly HttpTape[];
  readonly #craft: Stagecraft;
  readonly #changes: ReadonlyMap<HttpTape, Changes>;
  /** By their live exchanges. */
  readonly #listeners = new Map<number, Listener>();
  /** In the order in which they are asked. */
  #runs: Run[] = [];
  /** Nobody else has it: the run that is asked says so itself. */
  #isLast = false;

  constructor(tapes: readonly HttpTape[], craft: Stagecraft) {
    this.#tapes = tapes;
    this.#craft = craft;
    this.#changes = new Map(tapes.map((tape) => [tape, changesOn(tape, (json) => this.#keyOf(json))]));
  }

  hear(json: JsonText, stream: number): void {
    for (const one of elementsOf(json)) this.#hear(one, stream);
  }

  done(stream: number): void {
    this.#listeners.delete(stream);
    for (const { streams } of this.#runs) streams.delete(stream);
  }

  faulted(fired: Fired): void {
    for (const { player } of this.#runs) player.faulted(fired);
  }

  finish(): void {
    for (const { player } of this.#runs) player.finish();
  }

  #hear(json: JsonText, stream: number): void {
    const current = this.#runs.find(({ streams }) => streams.has(stream)) ?? this.#runs.at(-1);
    if (!isRequest(json.value))
      return (current ?? this.#begin(this.#tapes[0]!)).player.hear(this.#frame(json, stream));
    for (const run of this.#willing())
      if (this.#answers(run, json, stream)) return this.#tell(run, json, stream);
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

  /** Tells those who listen what `json`, which `run` has answered, changed. */
  #tell({ tape, served }: Run, json: JsonText, stream: number): void {
    const { after } = this.#changes.get(tape)!;
    if (after.size === 0) return;
    const key = this.#keyOf(json);
    const listener = listenerOf(json, key);
    if (listener) this.#listeners.set(stream, listener);
    const count = served.get(key) ?? 0;
    served.set(key, count + 1);
    for (const [listenKey, told] of after.get(key)?.[count] ?? [])
      for (const [to, { key, id }] of this.#listeners)
        if (key === listenKey) for (const move of told) this.#say(move, id, to);
  }

  #say(move: Move, id: string, stream: number): void {
    const { clock, say } = this.#craft;
    say({ ...(move.frame as MessageFrame), at: clock.now(), json: addressed(move, id), stream });
  }

  #keyOf(json: JsonText): string {
    return identityOf(json, this.#craft.ignore).key;
  }

  #begin(tape: HttpTape): Run {
    const elsewhere = () => {
      run.isShort = true;
      return !this.#isLast;
    };
    const { moves } = this.#changes.get(tape)!;
    const say = (frame: Frame, recorded?: Move) => {
      if (recorded === undefined || !moves.has(recorded.index)) this.#craft.say(frame, recorded);
    };
    const player = playerOf(tape, this.#craft, { elsewhere, say });
    const run: Run = { tape, player, isUsed: false, isShort: false, streams: new Set(), served: new Map() };
    this.#runs = this.#runs.filter((other) => other.tape !== tape || other.streams.size > 0);
    this.#runs.push(run);
    player.start();
    return run;
  }

  #frame(json: JsonText, stream: number): Frame {
    return { kind: 'message', at: this.#craft.clock.now(), from: 'client', json, stream };
  }
}
