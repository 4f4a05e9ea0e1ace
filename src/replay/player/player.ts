import {
  isMessageEntry,
  type MessageEntry,
  type SessionEntry,
} from '../../cassette/correlate/session-entries.ts';
import { classifyLine } from '../../channel/classify-line.ts';
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
import { ClientDifferences } from '../findings/client-differences.ts';
import {
  lateFinding,
  missingFinding,
  unansweredFinding,
  uncancelledFinding,
  unrecordedFinding,
  unsentFinding,
  unusedFinding,
} from '../findings/finding.ts';
import { unusedEntries } from '../findings/unused-entries.ts';
import { DefaultResponder, replyText } from '../match/default-responder.ts';
import type { RecordedRequest } from '../match/recorded-request.ts';
import { RequestMatcher } from '../match/request-matcher.ts';
import { RetriedRequests } from '../match/retried-requests.ts';
import { UnansweredRequests } from '../match/unanswered-requests.ts';
import type { PlanStep } from '../plan/sequence.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import { NO_BINDINGS, NOTHING, type TokenBindings, TokenRewriter } from '../tokens/token-rewriter.ts';
import { followUpRequest } from './follow-up-requests.ts';
import { IncomingRequests } from './incoming-requests.ts';
import { OutgoingRequests } from './outgoing-requests.ts';
import type { PlayerOptions } from './player-options.ts';
import { Scheduler } from './scheduler.ts';

/** Plays one side of a cassette to one live peer: what the plan says, when it says, in the peer's own ids. */
export class Player {
  readonly #options: PlayerOptions;
  readonly #plan: ReplayPlan;
  readonly #scheduler: Scheduler;
  readonly #matcher: RequestMatcher;
  readonly #rebinder: TokenRewriter;
  readonly #improviser: DefaultResponder;
  readonly #serving: IncomingRequests;
  readonly #asking: OutgoingRequests;
  /** Of a live client; of a live server each answer is compared, by whoever plays its client. */
  readonly #comparison: ClientDifferences | undefined;
  readonly #retries: RetriedRequests | undefined;
  readonly #unanswered: UnansweredRequests;
  /** Asked what we can do: a client may start a process only for that, which then leaves the cassette unused. */
  #probed = false;
  #followUps = 0;
  #finished = false;

  constructor(options: PlayerOptions) {
    const { plan, file, clock, timing = 'instant', ignore = [], patience, report, repeat } = options;
    this.#options = options;
    this.#plan = plan;
    const over = (part: PlanStep, missing: number) => {
      const entry = plan.entries[missing]!;
      // What we did not say ourselves is missing because something else is.
      if (entry.from !== plan.side) report(missingFinding(this.#moveOf(part), entry, file));
    };
    const say = (part: PlanStep, sequence: TokenBindings) => this.#play(this.#moveOf(part), sequence);
    const limit = patience === undefined ? {} : { patience: { wait: patience, over } };
    this.#scheduler = new Scheduler({ plan, clock, timing, say, ...limit });
    this.#serving = new IncomingRequests(this.#scheduler, plan.links);
    this.#asking = new OutgoingRequests(plan);
    this.#rebinder = new TokenRewriter(plan, options.handles);
    const happened = (entry: number) => this.#scheduler.happened(entry);
    const { entries, refusals } = plan;
    this.#matcher = new RequestMatcher({
      entries,
      side: otherSide(plan.side),
      ignore,
      refusals,
      happened,
      repeat,
    });
    if (options.hasFaults) this.#retries = new RetriedRequests();
    const [matcher, rebinder, { discovered, isHandWritten = false }] = [
      this.#matcher,
      this.#rebinder,
      options,
    ];
    this.#improviser = new DefaultResponder({ plan, matcher, rebinder, file, discovered, isHandWritten });
    this.#unanswered = new UnansweredRequests({ plan, file, isHandWritten });
    if (plan.side === 'server')
      this.#comparison = new ClientDifferences({ file, entries, ignore, isHandWritten, report });
  }

  /** Says what the played side says before it is spoken to. */
  start(): void {
    this.#scheduler.open(undefined, NO_BINDINGS);
  }

  /** Takes what the live peer said. */
  hear(frame: Frame): void {
    if (this.#finished) return;
    const heard = frame.kind === 'line' ? classifyLine(frame) : frame;
    if (heard.kind === 'close' || heard.kind === 'signal') this.#hearEnd(heard.kind);
    if (heard.kind === 'line') return this.#comparison?.junk(heard.data);
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
    this.#scheduler.whenIdle(task);
  }

  /** Ends the session: says nothing more, and reports what the cassette held and the session did not use. */
  finish(): void {
    this.#finished = true;
    this.#scheduler.stop();
    const { file, report } = this.#options;
    const unsaid = this.#scheduler.unsaid().map((part) => this.#moveOf(part));
    const unsent = unsaid.filter(isMessageEntry);
    if (unsent.length > 0) report(unsentFinding(unsent, file));
    const unanswered = this.#comparison ? this.#asking.unanswered() : [];
    for (const request of unanswered) report(unansweredFinding(request, file));
    const [plan, { requests: recorded }, scheduler, isProbed] = [
      this.#plan,
      this.#matcher,
      this.#scheduler,
      this.#probed,
    ];
    const unused = unusedEntries({ plan, recorded, scheduler, isProbed });
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
      this.#comparison?.request(recorded.entry, json);
      return this.#answer(recorded.entry, json, stream);
    }
    if (request.method === 'server/discover') this.#probed = true;
    const { text, finding } = this.#improviser.answer(json, request);
    if (finding && this.#options.elsewhere?.(json, stream)) return;
    if (finding) this.#options.report(finding);
    this.#improvise(text, stream);
  }

  #take(live: JsonText): RecordedRequest | undefined {
    return (
      this.#retries?.take((candidate) => this.#matcher.isSame(candidate, live)) ?? this.#matcher.take(live)
    );
  }

  #answer(recorded: SessionEntry, live: JsonText, stream?: number): void {
    this.#serve(recorded, live, stream);
    const { finding, error } = this.#unanswered.at(recorded) ?? {};
    if (finding) this.#options.report(finding);
    if (error) this.#improvise(replyText(live, { error }), stream);
  }

  #serve(entry: SessionEntry, live: JsonText, stream?: number): void {
    this.#serving.serve(entry, tokenAt(live, ['id'])!, this.#rebinder.bind(entry.json!, live, stream));
  }

  #hearCancel(json: JsonText): void {
    const id = tokenAt(json, ['params', 'requestId']) ?? '';
    const { file, report } = this.#options;
    const uncancelled = this.#plan.entries[this.#serving.cancel(id) ?? -1];
    if (uncancelled && this.#comparison) report(uncancelledFinding(uncancelled, file));
    // 2026-07-28: a server has no request of its own to cancel, but may end a subscription of the client's.
    const asked = this.#asking.open(id)?.message;
    if (!isRequest(asked) || asked.method !== LISTEN) return;
    const ended = this.#matcher.take(json);
    if (ended) this.#scheduler.happen(ended.entry.index);
  }

  #hearNotification(json: JsonText, { method }: Notification): void {
    if (method === 'notifications/cancelled') return this.#hearCancel(json);
    const token = method === 'notifications/progress' && (tokenAt(json, ['params', 'progressToken']) ?? '');
    const recorded = token === false ? this.#recordedAs(json, method) : this.#asking.progressed(token);
    this.#options.heard?.({ recorded, live: json });
    if (recorded) this.#scheduler.open(recorded.index, NO_BINDINGS);
    else if (token !== false ? this.#comparison : !this.#improviser.isOpening(method))
      this.#options.report(unrecordedFinding(otherSide(this.#plan.side), method, this.#options.file));
  }

  #recordedAs(json: JsonText, method: string): SessionEntry | undefined {
    const next = () => (this.#plan.side === 'client' ? this.#matcher.takeNext(method) : undefined);
    return (this.#matcher.take(json) ?? next())?.entry;
  }

  #hearResponse(json: JsonText): void {
    const id = tokenAt(json, ['id']) ?? 'null';
    const request = this.#asking.answered(id);
    if (request === undefined) {
      if (this.#asking.isRecordedStray(id)) return;
      const text = `The ${otherSide(this.#plan.side)} answered request ${id}, which is not open: ignored.`;
      return this.#options.report({ kind: 'stray', text });
    }
    const answer = this.#plan.links.answerOf.get(request.index);
    const recorded = answer === undefined ? undefined : this.#plan.entries[answer]!;
    this.#options.heard?.({ recorded, live: json, request });
    if (!this.#plan.links.cancelOf.has(request.index)) this.#comparison?.answer(request, recorded, json);
    if (recorded === undefined) return;
    this.#rebinder.learn(recorded, json);
    if (!this.#followUp(request, recorded, json)) this.#scheduler.happen(recorded.index);
  }

  /** A client polls until its task is where it was in the cassette, and turns pages until the last. */
  #followUp(request: SessionEntry, recorded: SessionEntry, live: JsonText): boolean {
    if (this.#plan.side === 'server' || this.#scheduler.happened(recorded.index)) return false;
    const next = followUpRequest({ request, recorded, live, entries: this.#plan.entries });
    const text = next && this.#rebinder.apply(request as MessageEntry, NO_BINDINGS);
    if (next === undefined || text === undefined) return false;
    const id = `mcp-record:${this.#followUps++}`;
    const message = JSON.parse(text) as Request;
    const again: Request = { ...message, id, params: { ...paramsOf(message), ...next.params } };
    this.#scheduler.later(next.delay, () => {
      if (this.#scheduler.happened(recorded.index)) return;
      this.#asking.askAs(JSON.stringify(id), request);
      this.#sayAs(request, JSON.stringify(again));
    });
    return true;
  }

  /** The end of input is every recorded end: how a client ends a server is its own affair. */
  #hearEnd(kind: 'close' | 'signal'): void {
    for (const { index, frame, from, json } of this.#plan.entries) {
      if (json !== undefined) continue;
      const isEnd = frame.kind === kind || (frame.kind === 'signal' && kind === 'close');
      if (from === otherSide(this.#plan.side) && isEnd && !this.#scheduler.happened(index))
        this.#scheduler.open(index, NO_BINDINGS);
    }
  }

  #play(entry: SessionEntry, sequence: TokenBindings): boolean {
    if (!isMessageEntry(entry)) {
      this.#options.say(this.#nowOn(entry.frame, sequence), entry);
      return true;
    }
    const overtaken = this.#plan.side === 'client' ? this.#asking.overtaken(entry) : undefined;
    if (overtaken !== undefined) {
      this.#options.report(lateFinding(overtaken));
      return false;
    }
    const text = this.#rebinder.apply(entry, sequence);
    if (text === undefined) {
      this.#passOver(entry);
      return false;
    }
    if (isRequest(entry.message)) this.#asking.ask(entry, entry.json);
    this.#sayAs(entry, text, sequence);
    return true;
  }

  /** What cannot be said gets no answer: nothing waits for one. */
  #passOver({ index }: SessionEntry): void {
    const answer = this.#plan.links.answerOf.get(index);
    if (answer === undefined) return;
    this.#rebinder.learn(this.#plan.entries[answer]!, NOTHING);
    this.#scheduler.happen(answer);
  }

  /** Says `text` in the place of `recorded`, carried as that was. */
  #sayAs(recorded: SessionEntry, text: string, sequence: TokenBindings = NO_BINDINGS): void {
    const recordedFrame = recorded.frame as MessageFrame;
    const at = this.#options.clock.now();
    this.#options.say(
      messageFrame(new JsonText(text), recordedFrame, at, this.#streamOf(recordedFrame, sequence)),
      recorded,
    );
  }

  /** Says what the cassette does not have, in answer to what came in the exchange `stream`. */
  #improvise(text: string, stream?: number): void {
    const { clock, say } = this.#options;
    const [from, json] = [this.#plan.side, new JsonText(text)];
    say({ kind: 'message', at: clock.now(), from, json, ...(stream !== undefined && { stream }) });
  }

  /** The recorded frame as it is said now. */
  #nowOn(recordedFrame: Frame, sequence: TokenBindings): Frame {
    const { stream: _, ...frame } = recordedFrame;
    const stream = this.#streamOf(recordedFrame, sequence);
    return { ...frame, at: this.#options.clock.now(), ...(stream !== undefined && { stream }) };
  }

  /** The live exchange that a frame is said in. A client says it in that of the cassette. */
  #streamOf(recordedFrame: Frame, sequence: TokenBindings): number | undefined {
    return this.#plan.side === 'client' ? recordedFrame.stream : sequence.stream;
  }

  #moveOf({ entry }: PlanStep): SessionEntry {
    return this.#plan.entries[entry]!;
  }
}
