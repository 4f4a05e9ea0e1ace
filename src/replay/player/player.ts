import { isSaid, type Move, type Said } from '../../cassette/correlate/session-entries.ts';
import { classify } from '../../channel/classify-line.ts';
import { type Frame, type MessageFrame, messageFrame, otherSide } from '../../channel/frame.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { elementsOf, isBatch, JsonText } from '../../protocol/json-text.ts';
import {
  isNotification,
  isRequest,
  isResponse,
  type Notification,
  paramsOf,
  type Request,
} from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { LISTEN } from '../../protocol/methods.ts';
import { ClientComparison } from '../findings/client-differences.ts';
import {
  lateFinding,
  missingFinding,
  unansweredFinding,
  uncancelledFinding,
  unrecordedFinding,
  unsentFinding,
  unusedFinding,
} from '../findings/finding.ts';
import { unusedMoves } from '../findings/unused-entries.ts';
import { Improviser, replyText } from '../match/default-responder.ts';
import type { Entry } from '../match/recorded-request.ts';
import { Book } from '../match/request-matcher.ts';
import { Retries } from '../match/retried-requests.ts';
import { UnansweredRequests } from '../match/unanswered-requests.ts';
import type { Part } from '../plan/sequence.ts';
import type { Score } from '../plan/server-plan.ts';
import { type Bindings, NO_BINDINGS, NOTHING, Rebinder } from '../tokens/token-rewriter.ts';
import { followUp } from './follow-up-requests.ts';
import { Serving } from './incoming-requests.ts';
import { Asking } from './outgoing-requests.ts';
import type { PlayerOptions } from './player-options.ts';
import { Stage } from './scheduler.ts';

/** Plays one side of a cassette to one live peer: what the score says, when it says, in the peer's own ids. */
export class Player {
  readonly #options: PlayerOptions;
  readonly #score: Score;
  readonly #stage: Stage;
  readonly #book: Book;
  readonly #rebinder: Rebinder;
  readonly #improviser: Improviser;
  readonly #serving: Serving;
  readonly #asking: Asking;
  /** Of a live client; of a live server each answer is compared, by whoever plays its client. */
  readonly #comparison: ClientComparison | undefined;
  readonly #retries: Retries | undefined;
  readonly #unanswered: UnansweredRequests;
  /** Asked what we can do: a client may start a process only for that, which then leaves the tape unused. */
  #probed = false;
  #followUps = 0;
  #finished = false;

  constructor(options: PlayerOptions) {
    const { score, file, clock, timing = 'instant', ignore = [], patience, report, repeat } = options;
    this.#options = options;
    this.#score = score;
    const over = (part: Part, missing: number) => {
      const move = score.moves[missing]!;
      // What we did not say ourselves is missing because something else is.
      if (move.from !== score.side) report(missingFinding(this.#moveOf(part), move, file));
    };
    const say = (part: Part, lane: Bindings) => this.#play(this.#moveOf(part), lane);
    const limit = patience === undefined ? {} : { patience: { wait: patience, over } };
    this.#stage = new Stage({ score, clock, timing, say, ...limit });
    this.#serving = new Serving(this.#stage, score.links);
    this.#asking = new Asking(score);
    this.#rebinder = new Rebinder(score, options.handles);
    const happened = (move: number) => this.#stage.happened(move);
    const { moves, refusals } = score;
    this.#book = new Book({ moves, side: otherSide(score.side), ignore, refusals, happened, repeat });
    if (options.hasFaults) this.#retries = new Retries();
    const [book, rebinder, { discovered, isHandWritten = false }] = [this.#book, this.#rebinder, options];
    this.#improviser = new Improviser({ score, book, rebinder, file, discovered, isHandWritten });
    this.#unanswered = new UnansweredRequests({ score, file, isHandWritten });
    if (score.side === 'server')
      this.#comparison = new ClientComparison({ file, moves, ignore, isHandWritten, report });
  }

  /** Says what the played side says before it is spoken to. */
  start(): void {
    this.#stage.open(undefined, NO_BINDINGS);
  }

  /** Takes what the live peer said. */
  hear(frame: Frame): void {
    if (this.#finished) return;
    const heard = frame.kind === 'noise' ? classify(frame) : frame;
    if (heard.kind === 'close' || heard.kind === 'signal') this.#hearEnd(heard.kind);
    if (heard.kind === 'noise') return this.#comparison?.junk(heard.data);
    if (heard.kind !== 'message') return;
    const { json, stream } = heard;
    if (isBatch(json)) for (const one of elementsOf(json)) this.#hearMessage(one, stream);
    else this.#hearMessage(json, stream);
  }

  /** A fault was injected into a message: the same request once more is a retry, and is answered as before. */
  faulted(fired: Fired): void {
    this.#retries?.faulted(fired);
  }

  /** A live request has not been answered. */
  get isServing(): boolean {
    return this.#serving.isServing;
  }

  /** Calls back when no frame is only waiting for its time. */
  whenIdle(task: () => void): void {
    this.#stage.whenIdle(task);
  }

  /** Ends the session: says nothing more, and reports what the tape held and the session did not use. */
  finish(): void {
    this.#finished = true;
    this.#stage.stop();
    const { file, report } = this.#options;
    const unsaid = this.#stage.unsaid().map((part) => this.#moveOf(part));
    const unsent = unsaid.filter(isSaid);
    if (unsent.length > 0) report(unsentFinding(unsent, file));
    const unanswered = this.#comparison ? this.#asking.unanswered() : [];
    for (const request of unanswered) report(unansweredFinding(request, file));
    const [score, { entries }, stage, isProbed] = [this.#score, this.#book, this.#stage, this.#probed];
    const unused = unusedMoves({ score, entries, stage, isProbed });
    if (unused.length > 0) report(unusedFinding(unused, file));
    this.#options.finished?.({ file, unused });
  }

  #hearMessage(json: JsonText, stream?: number): void {
    const message = json.value;
    if (isRequest(message)) this.#hearRequest(json, message, stream);
    else if (isNotification(message)) this.#hearNotification(json, message);
    else if (isResponse(message)) this.#hearResponse(json);
    else this.#comparison?.junk(json.text);
  }

  #hearRequest(json: JsonText, request: Request, stream?: number): void {
    const recorded = request.method === 'ping' ? undefined : this.#take(json);
    if (recorded) {
      this.#retries?.served(tokenAt(json, ['id'])!, recorded);
      this.#comparison?.request(recorded.move, json);
      return this.#answer(recorded.move, json, stream);
    }
    if (request.method === 'server/discover') this.#probed = true;
    const { text, finding } = this.#improviser.answer(json, request);
    if (finding && this.#options.elsewhere?.(json, stream)) return;
    if (finding) this.#options.report(finding);
    this.#improvise(text, stream);
  }

  #take(live: JsonText): Entry | undefined {
    return this.#retries?.take((entry) => this.#book.isSame(entry, live)) ?? this.#book.take(live);
  }

  #answer(recorded: Move, live: JsonText, stream?: number): void {
    this.#serve(recorded, live, stream);
    const { finding, error } = this.#unanswered.at(recorded) ?? {};
    if (finding) this.#options.report(finding);
    if (error) this.#improvise(replyText(live, { error }), stream);
  }

  #serve(move: Move, live: JsonText, stream?: number): void {
    this.#serving.serve(move, tokenAt(live, ['id'])!, this.#rebinder.bind(move.json!, live, stream));
  }

  #hearCancel(json: JsonText): void {
    const id = tokenAt(json, ['params', 'requestId']) ?? '';
    const { file, report } = this.#options;
    const uncancelled = this.#score.moves[this.#serving.cancel(id) ?? -1];
    if (uncancelled && this.#comparison) report(uncancelledFinding(uncancelled, file));
    // 2026-07-28: a server has no request of its own to cancel, but may end a subscription of the client's.
    const asked = this.#asking.open(id)?.message;
    if (!isRequest(asked) || asked.method !== LISTEN) return;
    const ended = this.#book.take(json);
    if (ended) this.#stage.happen(ended.move.index);
  }

  #hearNotification(json: JsonText, { method }: Notification): void {
    if (method === 'notifications/cancelled') return this.#hearCancel(json);
    const token = method === 'notifications/progress' && (tokenAt(json, ['params', 'progressToken']) ?? '');
    const recorded = token === false ? this.#recordedAs(json, method) : this.#asking.progressed(token);
    this.#options.heard?.({ recorded, live: json });
    if (recorded) this.#stage.open(recorded.index, NO_BINDINGS);
    else if (token !== false ? this.#comparison : !this.#improviser.isOpening(method))
      this.#options.report(unrecordedFinding(otherSide(this.#score.side), method, this.#options.file));
  }

  #recordedAs(json: JsonText, method: string): Move | undefined {
    const next = () => (this.#score.side === 'client' ? this.#book.takeNext(method) : undefined);
    return (this.#book.take(json) ?? next())?.move;
  }

  #hearResponse(json: JsonText): void {
    const id = tokenAt(json, ['id']) ?? 'null';
    const request = this.#asking.answered(id);
    if (request === undefined) {
      if (this.#asking.isTapedStray(id)) return;
      const text = `The ${otherSide(this.#score.side)} answered request ${id}, which is not open: ignored.`;
      return this.#options.report({ kind: 'stray', text });
    }
    const answer = this.#score.links.answerOf.get(request.index);
    const recorded = answer === undefined ? undefined : this.#score.moves[answer]!;
    this.#options.heard?.({ recorded, live: json, request });
    if (!this.#score.links.cancelOf.has(request.index)) this.#comparison?.answer(request, recorded, json);
    if (recorded === undefined) return;
    this.#rebinder.learn(recorded, json);
    if (!this.#followUp(request, recorded, json)) this.#stage.happen(recorded.index);
  }

  /** A client polls until its task is where it was on tape, and turns pages until the last. */
  #followUp(request: Move, recorded: Move, live: JsonText): boolean {
    if (this.#score.side === 'server' || this.#stage.happened(recorded.index)) return false;
    const next = followUp({ request, recorded, live, moves: this.#score.moves });
    const text = next && this.#rebinder.apply(request as Said, NO_BINDINGS);
    if (next === undefined || text === undefined) return false;
    const id = `mcp-record:${this.#followUps++}`;
    const message = JSON.parse(text) as Request;
    const again: Request = { ...message, id, params: { ...paramsOf(message), ...next.params } };
    this.#stage.later(next.delay, () => {
      if (this.#stage.happened(recorded.index)) return;
      this.#asking.askAs(JSON.stringify(id), request);
      this.#sayAs(request, JSON.stringify(again));
    });
    return true;
  }

  /** The end of input is every taped end: how a client ends a server is its own affair. */
  #hearEnd(kind: 'close' | 'signal'): void {
    for (const { index, frame, from, json } of this.#score.moves) {
      if (json !== undefined) continue;
      const isEnd = frame.kind === kind || (frame.kind === 'signal' && kind === 'close');
      if (from === otherSide(this.#score.side) && isEnd && !this.#stage.happened(index))
        this.#stage.open(index, NO_BINDINGS);
    }
  }

  #play(move: Move, lane: Bindings): boolean {
    if (!isSaid(move)) {
      this.#options.say(this.#nowOn(move.frame, lane), move);
      return true;
    }
    const overtaken = this.#score.side === 'client' ? this.#asking.overtaken(move) : undefined;
    if (overtaken !== undefined) {
      this.#options.report(lateFinding(overtaken));
      return false;
    }
    const text = this.#rebinder.apply(move, lane);
    if (text === undefined) {
      this.#passOver(move);
      return false;
    }
    if (isRequest(move.message)) this.#asking.ask(move, move.json);
    this.#sayAs(move, text, lane);
    return true;
  }

  /** What cannot be said gets no answer: nothing waits for one. */
  #passOver({ index }: Move): void {
    const answer = this.#score.links.answerOf.get(index);
    if (answer === undefined) return;
    this.#rebinder.learn(this.#score.moves[answer]!, NOTHING);
    this.#stage.happen(answer);
  }

  /** Says `text` in the place of `recorded`, carried as that was. */
  #sayAs(recorded: Move, text: string, lane: Bindings = NO_BINDINGS): void {
    const taped = recorded.frame as MessageFrame;
    const at = this.#options.clock.now();
    this.#options.say(messageFrame(new JsonText(text), taped, at, this.#streamOf(taped, lane)), recorded);
  }

  /** Says what the tape does not have, in answer to what came in the exchange `stream`. */
  #improvise(text: string, stream?: number): void {
    const { clock, say } = this.#options;
    const [from, json] = [this.#score.side, new JsonText(text)];
    say({ kind: 'message', at: clock.now(), from, json, ...(stream !== undefined && { stream }) });
  }

  /** The taped frame as it is said now. */
  #nowOn(taped: Frame, lane: Bindings): Frame {
    const { stream: _, ...frame } = taped;
    const stream = this.#streamOf(taped, lane);
    return { ...frame, at: this.#options.clock.now(), ...(stream !== undefined && { stream }) };
  }

  /** The live exchange that a frame is said in. A client says it in that of the tape. */
  #streamOf(taped: Frame, lane: Bindings): number | undefined {
    return this.#score.side === 'client' ? taped.stream : lane.stream;
  }

  #moveOf({ move }: Part): Move {
    return this.#score.moves[move]!;
  }
}
