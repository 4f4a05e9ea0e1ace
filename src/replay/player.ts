import type { Move } from '../cassette/moves.ts';
import { classify } from '../channel/classify.ts';
import { type Frame, otherSide } from '../channel/frame.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Pointer } from '../match/ignore.ts';
import { tokenAt } from '../protocol/id.ts';
import { elementsOf, JsonText } from '../protocol/json-text.ts';
import {
  isNotification,
  isRequest,
  isResponse,
  type Notification,
  type Request,
} from '../protocol/message.ts';
import { Book } from './book.ts';
import { type Era, eraOf, type Reply, replyToProbe } from './era.ts';
import { type Finding, unsentFinding, unusedFinding } from './finding.ts';
import { missOf } from './miss.ts';
import { Bindings } from './rebind.ts';
import type { Part, Score } from './score.ts';
import { type Run, Stage } from './stage.ts';
import type { Timing } from './timing.ts';

export interface PlayerOptions {
  score: Score;
  /** The cassette's name, for messages. */
  file: string;
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Pointer[];
  /** Says a frame of the played side to the live peer. */
  say(frame: Frame): void;
  /** Told at once of everything that a person must hear of. */
  report(finding: Finding): void;
}

/** Plays one side of a cassette to one live peer: what the score says, when it says, in the peer's own ids. */
export class Player {
  readonly #options: PlayerOptions;
  readonly #score: Score;
  readonly #stage: Stage;
  readonly #book: Book;
  readonly #era: Era;
  /** Id of a live request → the run that serves it. */
  readonly #serving = new Map<string, Run>();
  /** Id of a request that we sent, and that is not answered → its move. */
  readonly #asked = new Map<string, number>();

  constructor(options: PlayerOptions) {
    const { score, clock, timing = 'instant', ignore = [] } = options;
    this.#options = options;
    this.#score = score;
    this.#stage = new Stage({ score, clock, timing, say: (part, bindings) => this.#play(part, bindings) });
    const happened = (move: number) => this.#stage.happened(move);
    this.#book = new Book({ moves: score.moves, side: otherSide(score.side), ignore, happened });
    this.#era = eraOf(score.moves);
  }

  /** Says what the played side says before it is spoken to. */
  start(): void {
    this.#stage.open(undefined, new Bindings());
  }

  /** Takes what the live peer said. */
  hear(frame: Frame): void {
    const heard = frame.kind === 'noise' ? classify(frame) : frame;
    if (heard.kind === 'close') this.#hearClose();
    if (heard.kind === 'message') for (const json of elementsOf(heard.json)) this.#hearMessage(json);
  }

  /** Calls back when no frame is only waiting for its time. */
  whenIdle(task: () => void): void {
    this.#stage.whenIdle(task);
  }

  /** Ends the session: says nothing more, and reports what the tape held and the session did not use. */
  finish(): void {
    this.#stage.stop();
    const { file, report } = this.#options;
    const moveOf = ({ move }: Part): Move => this.#score.moves[move]!;
    const unsaid = this.#stage.unsaid().filter((part) => isMessage(moveOf(part)));
    if (unsaid.length > 0) report(unsentFinding(unsaid.map(moveOf), file));
    const unused = this.#book.entries.filter(({ move, uses }) => uses === 0 && isRequest(move.message));
    if (unused.length > 0)
      report(
        unusedFinding(
          unused.map(({ move }) => move),
          file,
        ),
      );
  }

  #hearMessage(json: JsonText): void {
    const message = json.value;
    if (isRequest(message)) this.#hearRequest(json, message);
    else if (isNotification(message)) this.#hearNotification(json, message);
    else if (isResponse(message)) this.#hearResponse(json);
  }

  #hearRequest(json: JsonText, request: Request): void {
    // Either side may ping at any time, and is answered from life, not from the tape.
    const identity = request.method === 'ping' ? undefined : this.#book.identify(json);
    const entry = identity && this.#book.take(identity);
    if (entry) return this.#serve(entry.move, json);
    const reply = replyToProbe(request, this.#era, this.#score.moves);
    if (reply || identity === undefined) return this.#reply(json, reply ?? { result: {} });
    const { file, report } = this.#options;
    const miss = missOf({ live: identity, params: request.params, entries: this.#book.entries, file });
    report({ kind: 'miss', text: miss.text });
    this.#reply(json, { error: miss.error });
  }

  #serve(move: Move, live: JsonText): void {
    const id = tokenAt(live, ['id'])!;
    let ended = false;
    const [run] = this.#stage.open(move.index, Bindings.of(move.json!, live), () => {
      ended = true;
      this.#serving.delete(id);
    });
    if (run && !ended) this.#serving.set(id, run);
  }

  #hearNotification(json: JsonText, { method }: Notification): void {
    if (method === 'notifications/progress') return;
    if (method === 'notifications/cancelled') {
      const run = this.#serving.get(tokenAt(json, ['params', 'requestId']) ?? '');
      if (run) this.#stage.cancel(run);
      return;
    }
    const entry = this.#book.take(this.#book.identify(json));
    if (entry) this.#stage.open(entry.move.index, new Bindings());
    else
      this.#options.report({
        kind: 'unrecorded',
        text: `The ${otherSide(this.#score.side)} sent ${method}, which ${this.#options.file} does not have here.`,
      });
  }

  #hearResponse(json: JsonText): void {
    const id = tokenAt(json, ['id']) ?? 'null';
    const move = this.#asked.get(id);
    this.#asked.delete(id);
    if (move === undefined) {
      const text = `The ${otherSide(this.#score.side)} answered request ${id}, which is not open: ignored.`;
      return this.#options.report({ kind: 'stray', text });
    }
    const answer = this.#score.links.answerOf.get(move);
    if (answer !== undefined) this.#stage.happen(answer);
  }

  #hearClose(): void {
    const close = this.#score.moves.find(
      ({ frame, from }) => frame.kind === 'close' && from !== this.#score.side,
    );
    if (close) this.#stage.open(close.index, new Bindings());
  }

  #play({ move }: Part, bindings: Bindings): boolean {
    const { frame, json, message } = this.#score.moves[move]!;
    const at = this.#options.clock.now();
    if (json === undefined) {
      this.#options.say({ ...frame, at });
      return true;
    }
    const text = bindings.apply(this.#score.moves[move]!);
    if (text === undefined) return false;
    if (isRequest(message)) this.#asked.set(tokenAt(json, ['id'])!, move);
    this.#options.say({ kind: 'message', at, from: this.#score.side, json: new JsonText(text) });
    return true;
  }

  #reply(request: JsonText, reply: Reply): void {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 0, ...reply });
    const json = new JsonText(text.replace('"id":0', () => `"id":${tokenAt(request, ['id'])}`));
    this.#options.say({ kind: 'message', at: this.#options.clock.now(), from: this.#score.side, json });
  }
}

function isMessage({ json }: Move): boolean {
  return json !== undefined;
}
